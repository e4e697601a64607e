/** A dashed star over a table: not rated yet. */
export function StarDrawing() {
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
      <path d="M12 96h136M28 96v10M132 96v10" />
      <path
        d="m80 14 10 22 24 3-18 16 5 24-21-12-21 12 5-24-18-16 24-3z"
        strokeDasharray="5 6"
        stroke="var(--mantine-primary-color-filled)"
      />
    </svg>
  );
}
