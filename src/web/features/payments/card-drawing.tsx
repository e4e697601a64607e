/** A dashed bank card: none is kept. */
export function CardDrawing() {
  return (
    <svg
      aria-hidden="true"
      width="160"
      height="110"
      viewBox="0 0 160 110"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <g transform="rotate(-5 80 55)">
        <rect x="28" y="22" width="104" height="66" rx="9" strokeDasharray="5 6" />
        <path d="M28 42h104" stroke="var(--mantine-primary-color-filled)" strokeWidth="6" />
        <path d="M42 74h22M76 74h12" />
      </g>
    </svg>
  );
}
