/** Values for masked columns, and what a caller who may not see them is shown: the table of definitions 4.4, read by hand. */
import type { MaskType } from "../../model/mask.ts";

interface MaskSample {
  readonly plain: string;
  readonly shown: string;
}

/** `number` makes it unlike any other of its type. */
const SAMPLES: Readonly<Record<MaskType, (number: number) => MaskSample>> = {
  email: (number) => ({ plain: `quin${number}@example.com`, shown: "q***@e***.com" }),
  phone: (number) => ({ plain: `+1${padded(number, 6)}4567`, shown: "***-***-4567" }),
  ssn: (number) => ({ plain: `${padded(number, 6)}6789`, shown: "***-**-6789" }),
  creditCard: (number) => ({
    plain: `4${padded(number, 11)}1111`,
    shown: "**** **** **** 1111",
  }),
  name: (number) => ({ plain: `Quin Xu${number}`, shown: "Q*** X***" }),
  redact: (number) => ({ plain: `secret ${number}`, shown: "[REDACTED]" }),
};

export function maskSample(type: MaskType, number: number): MaskSample {
  return SAMPLES[type](number);
}

/** The mask of a value that is no sample: only `redact` has one mask for every value. */
export const REDACTED_VALUE = "[REDACTED]";

function padded(number: number, digits: number): string {
  return String(number % 10 ** digits).padStart(digits, "0");
}
