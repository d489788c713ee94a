/** Column names whose values are masked although nobody asked (definitions 4.4). */

type SensitiveMask = "email" | "phone" | "ssn" | "creditCard" | "redact";

/** Last words of a name, without case and separators. */
const SENSITIVE_ENDINGS: readonly (readonly [SensitiveMask, readonly string[]])[] = [
  ["email", ["email", "emailaddress"]],
  ["phone", ["phone", "phonenumber", "mobile", "mobilenumber", "fax", "faxnumber"]],
  ["ssn", ["ssn", "nationalid", "socialsecuritynumber"]],
  ["creditCard", ["creditcard", "creditcardnumber", "cardnumber"]],
  ["redact", [
    "iban",
    "bankaccount",
    "password",
    "passwordhash",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "privatekey",
    "secretkey",
    "accesskey",
    "cvc",
    "cvv",
    "otp",
    "passport",
    "passportnumber",
    "taxid",
  ]],
];

/** The mask of a column whose name is or ends in a sensitive word: `email`, `billingEmail`, `work_phone`. */
export function sensitiveMask(name: string): SensitiveMask | null {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_\s]+/g, " ").toLowerCase()
    .split(" ");
  const endings = words.map((_, index) => words.slice(index).join(""));
  const row = SENSITIVE_ENDINGS.find(([, known]) => endings.some((end) => known.includes(end)));
  return row?.[0] ?? null;
}
