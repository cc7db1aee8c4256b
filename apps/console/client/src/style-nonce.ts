/** The nonce of the styles that the component library adds to the page (the content security policy). */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// The library behind open dialogs, which keeps the page from scrolling, takes the nonce from this variable.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
