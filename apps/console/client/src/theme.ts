import {
  createTheme,
  type CSSVariablesResolver,
  DrawerHeader,
  ModalHeader,
  rem,
} from '@mantine/core';

/** Calm and dense: small type and narrow spacing, one accent color. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily:
    'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, sans-serif',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(22), lineHeight: '1.3' },
      h2: { fontSize: rem(16), lineHeight: '1.4' },
      h3: { fontSize: rem(14), lineHeight: '1.4' },
    },
  },
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    // The color of the variant has too little contrast with its background.
    Alert: { styles: { label: { color: 'var(--mantine-color-text)' } } },
    Button: { defaultProps: { size: 'sm' } },
    // Outside of a page's own landmarks, an element `header` would be one more banner.
    DrawerHeader: DrawerHeader.extend({ defaultProps: { role: 'presentation' } }),
    ModalHeader: ModalHeader.extend({ defaultProps: { role: 'presentation' } }),
    Drawer: { defaultProps: { position: 'right', size: 'xl', padding: 'lg' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
  },
});

/** Mantine's dimmed text has a contrast below 4.5 : 1, and so have its dimmed icons. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-anchor': 'var(--mantine-color-blue-8)',
  },
  dark: { '--mantine-color-dimmed': 'var(--mantine-color-dark-1)' },
});
