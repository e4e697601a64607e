/** A payment's random id in tests, the same for each number. */
export const publicIdOf = (number: number) => `0190a000-0000-7000-8000-${String(number).padStart(12, '0')}`;
