/** Tags of what belongs to no resource; a resource's tag is its name. */

export const SERVICE_TAG = "Service";
export const WEBHOOKS_TAG = "Webhooks";
export const ACCOUNTS_TAG = "Accounts";
