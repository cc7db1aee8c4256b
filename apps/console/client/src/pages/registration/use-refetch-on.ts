import { useEffect, useRef } from 'react';

/** Reads again when another `version` is given than before. */
export function useRefetchOn(version: unknown, refetch: () => unknown): void {
  const known = useRef(version);
  useEffect(() => {
    if (known.current === version) return;
    known.current = version;
    void refetch();
  }, [version, refetch]);
}
