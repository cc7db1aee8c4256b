import { clock } from './clock.ts';
import { Failure } from '@registrar/contracts';

/** The outcome of `work`, or the failure `expired` at the deadline, whichever comes first. */
export async function withDeadline<T>(
  work: Promise<T>,
  deadline: number,
  what: string,
): Promise<T> {
  let cancel: (() => void) | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    const expire = () => reject(new Failure('expired', `${what} was not done in time`));
    cancel = clock.schedule(deadline - clock.now(), expire);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    cancel?.();
  }
}
