import { useHotkeys } from '@mantine/hooks';
import { useState } from 'react';

/** Opens the command palette, whose code is loaded when it is opened first. */
export function usePalette() {
  const [isLoaded, setLoaded] = useState(false);
  const open = () => {
    setLoaded(true);
    void import('@mantine/spotlight').then(({ spotlight }) => spotlight.open());
  };
  useHotkeys([['mod+K', open]], []);
  return { isLoaded, open };
}
