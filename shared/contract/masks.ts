/**
 * The masks of columns (definitions 4.4): one record each. A mask is total: odd input becomes all mask. The number of stars
 * never depends on the value, and nothing of it is left but what its type shows.
 */

/**
 * Names whose values never reach a problem document (contract 2.7) or a response unmasked (definitions 4.4): replaced with
 * `[REDACTED]` in `request.body` and in the query part of `request.url`; compared without case.
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

/** Endings that name a credential in compound names; bare words such as `code` are only matched whole. */
const SENSITIVE_ENDINGS = ["password", "token", "secret", "apikey", "signature", "jwt"] as const;

/** True for the well-known names and for compounds of the unmistakable ones, with or without separators. */
export function isSensitiveKey(key: string): boolean {
  const name = key.toLowerCase().replace(/[-_\s]/g, "");
  return REDACTED_KEYS.has(name) || SENSITIVE_ENDINGS.some((ending) => name.endsWith(ending));
}

/** A query string without the values of sensitive parameters, `token.eq` and `fields[token]` included. */
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
  // As `URLSearchParams` reads a name, which never fails.
  const [first] = new URLSearchParams(`${name}=`).keys();
  const words = (first ?? name).split(/[.[\]]/);
  return words.some(isSensitiveKey);
}

interface MaskRecord {
  mask(text: string): string;
  /** The one text that hides every value of any type; null: a part of a text is shown. */
  readonly hides: string | null;
  readonly example: string;
  /** Last words of columns that are masked so although nobody asked, without case and separators. */
  readonly names: readonly string[];
  /** For proofs: values unlike each other, and the form to know them by, with what is to be seen of each, written by hand. */
  readonly sample: {
    plain(number: number): string;
    readonly form: RegExp;
    readonly shown: string;
  };
  /**
   * For proofs: two values that look the same under the mask, unlike any other row's, and differ in length, order and content;
   * null: any two do.
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
    // First and last word only: the number of words between them tells something too.
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

/** The mask of a column whose name is or ends in a sensitive word: `email`, `billingEmail`, `work_phone`. */
export function sensitiveMask(name: string): MaskType | null {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_\s]+/g, " ").toLowerCase()
    .split(" ");
  const endings = words.map((_, index) => words.slice(index).join(""));
  return MASK_TYPES.find((type) => maskRecord(type).names.some((one) => endings.includes(one))) ??
    null;
}

/** Parts of an address whose end is a plain top-level domain; anything else could be any text. */
const EMAIL = /^([^@\s\p{C}]+)@([^@\s\p{C}]+)\.([A-Za-z]{2,24})$/u;

/** Characters that may stand as an initial. */
const LETTER = /^[\p{L}\p{N}]$/u;

/** The last four, if there are `min`: of fewer they would show most. */
function maskedDigits(text: string, min: number, prefix: string): string {
  const digits = text.replace(/[^0-9]/g, "");
  return `${prefix}${digits.length < min ? "****" : digits.slice(-4)}`;
}

/** The first letter, when there is more that stays hidden. */
function initialOf(text: string): string | null {
  const [first = "", second] = text;
  return second !== undefined && LETTER.test(first) ? first : null;
}

/** First letters are what some masks show. */
function letter(at: number): string {
  return String.fromCharCode("a".charCodeAt(0) + at % 26);
}

function padded(number: number, digits: number): string {
  return String(number % 10 ** digits).padStart(digits, "0");
}
