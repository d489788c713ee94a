/**
 * The masks of columns, one record each (definitions 4.4). A mask accepts any input; unexpected input is hidden completely. The
 * number of stars never depends on the value.
 */

/**
 * Names whose values are replaced by `[REDACTED]` in problem documents: in `request.body` and in the query of `request.url`
 * (contract 2.7, definitions 4.4). Case does not matter.
 */
export const REDACTED_KEYS: ReadonlySet<string> = new Set([
  "password",
  "token",
  "secret",
  "apikey",
  "otp",
  "code",
  "authorization",
  "sessiontoken",
  "eventsessiontoken",
  "scopejwt",
  "scopetoken",
  "wsticket",
  "invitetoken",
  "jwt",
  "signature",
]);

export const REDACTED = "[REDACTED]";

/** Endings of compound names that are credentials. Short words such as `code` must match the whole name. */
const SENSITIVE_ENDINGS = ["password", "token", "secret", "apikey", "signature", "jwt"] as const;

/** True for the names above and for compounds with an ending above, with or without separators. */
export function isSensitiveKey(key: string): boolean {
  const name = key.toLowerCase().replace(/[-_\s]/g, "");
  return REDACTED_KEYS.has(name) || SENSITIVE_ENDINGS.some((ending) => name.endsWith(ending));
}

/** Returns a query string without the values of sensitive parameters, including `token.eq` and `fields[token]`. */
export function redactedSearch(search: string): string {
  if (search === "" || search === "?") return "";
  const pairs = search.slice(1).split("&").map((pair) => {
    const equals = pair.indexOf("=");
    const name = equals === -1 ? pair : pair.slice(0, equals);
    return equals !== -1 && isSensitiveParameter(name) ? `${name}=${REDACTED}` : pair;
  });
  return `?${pairs.join("&")}`;
}

function isSensitiveParameter(name: string): boolean {
  // `URLSearchParams` decodes any name without an error.
  const [first] = new URLSearchParams(`${name}=`).keys();
  const words = (first ?? name).split(/[.[\]]/);
  return words.some(isSensitiveKey);
}

interface MaskRecord {
  mask(text: string): string;
  /** The text that replaces every value of any type; null: the mask shows a part of a text. */
  readonly hides: string | null;
  readonly example: string;
  /** Last words of column names that get this mask automatically, without case and separators. */
  readonly names: readonly string[];
  /** Values for proofs that differ from each other, each with the expected result, written by hand. */
  readonly sample: {
    plain(number: number): string;
    readonly form: RegExp;
    readonly shown: string;
  };
  /**
   * Two values for proofs that look the same under the mask but differ in length, order and content; null: any two values do.
   */
  twins(at: number): readonly [string, string] | null;
}

const RECORDS = {
  email: {
    mask(text) {
      const [, local = "", domain = "", top = ""] = EMAIL.exec(text) ?? [];
      const localStart = initialOf(local);
      const domainStart = initialOf(domain);
      if (localStart === null || domainStart === null) return "***@***.***";
      return `${localStart}***@${domainStart}***.${top}`;
    },
    hides: null,
    example: "j***@e***.com",
    names: ["email", "emailaddress"],
    sample: {
      plain: (number) => `quin${number}@example.com`,
      form: /^quin\d+@example\.com$/,
      shown: "q***@e***.com",
    },
    twins: (at) => [
      `${letter(at)}a${at}@${letter(at)}b.com`,
      `${letter(at)}z.longer.${90 - at}@${letter(at)}very.other.com`,
    ],
  },
  phone: {
    mask: (text) => maskedDigits(text, 7, "***-***-"),
    hides: null,
    example: "***-***-4567",
    names: ["phone", "phonenumber", "mobile", "mobilenumber", "fax", "faxnumber"],
    sample: {
      plain: (number) => `+1${padded(number, 6)}4567`,
      form: /^\+1\d{6}4567$/,
      shown: "***-***-4567",
    },
    twins: (at) => [`555100${4000 + at}`, `+49 (171) ${90 - at} ${4000 + at}`],
  },
  ssn: {
    mask: (text) => maskedDigits(text, 9, "***-**-"),
    hides: null,
    example: "***-**-6789",
    names: ["ssn", "nationalid", "socialsecuritynumber"],
    sample: {
      plain: (number) => `${padded(number, 6)}6789`,
      form: /^\d{6}6789$/,
      shown: "***-**-6789",
    },
    twins: (at) => [`12345${4000 + at}`, `987-65-${4000 + at}`],
  },
  creditCard: {
    mask: (text) => maskedDigits(text, 12, "**** **** **** "),
    hides: null,
    example: "**** **** **** 1111",
    names: ["creditcard", "creditcardnumber", "cardnumber"],
    sample: {
      plain: (number) => `4${padded(number, 11)}1111`,
      form: /^4\d{11}1111$/,
      shown: "**** **** **** 1111",
    },
    twins: (at) => [`41111111${4000 + at}`, `5500-0000-0000-${4000 + at}`],
  },
  name: {
    // Only the first and the last word are shown, because the number of words reveals something too.
    mask(text) {
      const words = text.split(/\s+/u).filter((word) => word !== "");
      const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
      const initials = ends.map((word) => initialOf(word ?? ""));
      if (initials.length === 0 || initials.includes(null)) return "***";
      return initials.map((initial) => `${initial}***`).join(" ");
    },
    hides: null,
    example: "J*** D***",
    names: [],
    sample: {
      plain: (number) => `Quin Xu${number}`,
      form: /^Quin Xu\d+$/,
      shown: "Q*** X***",
    },
    twins: (at) => [
      `${letter(at)}da ${letter(at)}yron${at}`,
      `${letter(at)}lexandra Maria ${letter(at)}artholomew${90 - at}`,
    ],
  },
  redact: {
    mask: () => REDACTED,
    hides: REDACTED,
    example: "[REDACTED]",
    // deno-fmt-ignore
    names: [
      "iban", "bankaccount", "password", "passwordhash", "passphrase", "secret", "token", "apikey",
      "privatekey", "secretkey", "accesskey", "cvc", "cvv", "otp", "passport", "passportnumber",
      "taxid",
    ],
    sample: {
      plain: (number) => `secret ${number}`,
      form: /^/,
      shown: "[REDACTED]",
    },
    twins: () => null,
  },
} satisfies Readonly<Record<string, MaskRecord>>;

export type MaskType = keyof typeof RECORDS;

export const MASK_TYPES = Object.keys(RECORDS) as readonly MaskType[];

export function maskRecord(type: MaskType): MaskRecord {
  return RECORDS[type];
}

/** Returns the mask of a column whose name is or ends in a sensitive word: `email`, `billingEmail`, `work_phone`. */
export function sensitiveMask(name: string): MaskType | null {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_\s]+/g, " ").toLowerCase()
    .split(" ");
  const endings = words.map((_, index) => words.slice(index).join(""));
  return MASK_TYPES.find((type) => maskRecord(type).names.some((one) => endings.includes(one))) ??
    null;
}

/** Splits an address with an ordinary top-level domain. Any other ending could be arbitrary text. */
const EMAIL = /^([^@\s\p{C}]+)@([^@\s\p{C}]+)\.([A-Za-z]{2,24})$/u;

/** Characters that may be shown as an initial. */
const LETTER = /^[\p{L}\p{N}]$/u;

/** Shows the last four digits if there are at least `min`; otherwise they would be most of the number. */
function maskedDigits(text: string, min: number, prefix: string): string {
  const digits = text.replace(/[^0-9]/g, "");
  return `${prefix}${digits.length < min ? "****" : digits.slice(-4)}`;
}

/** Returns the first letter if more letters stay hidden. */
function initialOf(text: string): string | null {
  const [first = "", second] = text;
  return second !== undefined && LETTER.test(first) ? first : null;
}

/** Returns the nth letter, for samples whose first letters a mask shows. */
function letter(at: number): string {
  return String.fromCharCode("a".charCodeAt(0) + at % 26);
}

function padded(number: number, digits: number): string {
  return String(number % 10 ** digits).padStart(digits, "0");
}
