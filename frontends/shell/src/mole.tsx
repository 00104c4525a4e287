/** The project's mark: a mole that looks out of its hill. Decoration: what it stands beside names it. */
export function Mole({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#8026d9" />
      <path d="M16 6c-5.600 0-9 4.200-9 9.600V22h18v-6.400C25 10.200 21.600 6 16 6Z" fill="#2b1b3d" />
      <path d="M3 22h26v2.500c0 .8-.7 1.500-1.500 1.500h-23C3.700 26 3 25.300 3 24.500V22Z" fill="#f3e8ff" />
      <circle cx="12" cy="13.500" r="1.400" fill="#f3e8ff" />
      <circle cx="20" cy="13.500" r="1.400" fill="#f3e8ff" />
      <ellipse cx="16" cy="17.500" rx="3.200" ry="2.300" fill="#f7a8c4" />
    </svg>
  );
}
