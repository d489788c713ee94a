/**
 * Lists routes of the account library that no project serves, each with the reason. A test fails on a route of the library that
 * is neither here nor in a record.
 */
const BY_MAIL = "one way to prove an address is enough: links";
const OF_PROVIDERS = "no token of a provider is kept";

export const CLOSED_ROUTES: Readonly<Record<string, string>> = {
  "/account-info": OF_PROVIDERS,
  "/get-access-token": OF_PROVIDERS,
  "/refresh-token": OF_PROVIDERS,
  "/email-otp/change-email": BY_MAIL,
  "/email-otp/check-verification-otp": BY_MAIL,
  "/email-otp/request-email-change": BY_MAIL,
  "/email-otp/request-password-reset": BY_MAIL,
  "/email-otp/reset-password": BY_MAIL,
  "/email-otp/verify-email": BY_MAIL,
  "/forget-password/email-otp": BY_MAIL,
  "/error": "a page of the library's makers, with whatever text stands in its URL",
  "/two-factor/send-otp": "a mailed code is no second factor beside a mailed link",
  "/two-factor/verify-otp": "a mailed code is no second factor beside a mailed link",
  "/update-session": "a session has no fields of the project's",
};

/** Routes that stay open in the library, but have no address in the API. */
export const UNROUTED_ROUTES: Readonly<Record<string, string>> = {
  "/ok": "says that the library runs; the service has its own `/health`",
};
