import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let timer: number | undefined;

/** Every value is read in the same turn of one timer, so that the page renders once. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => listeners.forEach((each) => each()), 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

/** Reads a value again every second, such as an age. The component renders again when the value has changed. */
export function useEverySecond<Value extends string | number>(read: () => Value): Value {
  return useSyncExternalStore(subscribe, read);
}

/** The present, in whole seconds: milliseconds of the epoch. */
export function useNow(): number {
  return useEverySecond(() => Math.floor(Date.now() / 1_000) * 1_000);
}
