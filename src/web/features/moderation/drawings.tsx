/** A tidy desk with a flag put down on it: nothing waits for a decision. */
export function QuietDeskDrawing() {
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
      <path d="M12 92h136M28 92v14M132 92v14" />
      <path d="M40 92V66h48v26M48 74h32M48 82h20" />
      <path d="m52 54 8 8 16-20" stroke="var(--mantine-primary-color-filled)" strokeWidth="4" />
      <path d="M112 92V34M112 36c8-5 14 5 24 0v18c-10 5-16-5-24 0" strokeDasharray="5 6" />
    </svg>
  );
}
