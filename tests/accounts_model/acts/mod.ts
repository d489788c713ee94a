/** All acts, by their names. */
import type { Act } from "./act.ts";
import { ANY_ROUTE_ACTS } from "./any_route.ts";
import { CREDENTIAL_ACTS } from "./credentials.ts";
import { OPERATOR_ACTS } from "./operator.ts";
import { ORGANIZATION_ACTS } from "./organizations.ts";
import { OWN_ACCOUNT_ACTS } from "./own_account.ts";
import { STREAM_ACTS } from "./streams.ts";
import { SIGN_IN_ACTS } from "./sign_in.ts";

export const ACTS: Readonly<Record<string, Act>> = {
  ...SIGN_IN_ACTS,
  ...OWN_ACCOUNT_ACTS,
  ...CREDENTIAL_ACTS,
  ...ORGANIZATION_ACTS,
  ...STREAM_ACTS,
  ...OPERATOR_ACTS,
  ...ANY_ROUTE_ACTS,
};
