// Numbers and counts as a reader expects them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export const count = (value: number): string => whole.format(value);

export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? "" : "s"}`;

/** Three digits that count; very large and small ones by a power of ten. */
export function short(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) return value.toExponential(1).replace("e+", "e");
  return String(Number(value.toPrecision(3)));
}

export function percent(share: number): string {
  if (share > 0 && share < 0.001) return "<0.1%";
  if (share > 0.999 && share < 1) return ">99.9%";
  return `${(100 * share).toFixed(1)}%`;
}
