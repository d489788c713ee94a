/** Patterns of texts, for the description: what reads them checks the same. */

/** No text that is stored or compared holds a NUL character. */
export const TEXT_PATTERN = "^[^\\x00]*$";

/** An http or https URL without credentials. */
export const HTTP_URL_PATTERN = "^[hH][tT][tT][pP][sS]?://[^/?#@\\x00]+(?:[/?#][^\\x00]*)?$";

/** Addresses to which webhooks go. */
export const HTTPS_URL_PATTERN = HTTP_URL_PATTERN.replace("[sS]?", "[sS]");
