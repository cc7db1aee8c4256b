/** The product's mark. */
export const Logo = ({ size = 26 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
    <rect width="32" height="32" rx="7" fill="#1864ab" />
    <path d="M9 24V8h8a5 5 0 0 1 2 9.6L23 24" fill="none" stroke="white" strokeWidth="3.2" />
  </svg>
);
