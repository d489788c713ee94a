/** Tags of what belongs to no resource; a resource's tag is its name. */

export const SERVICE_TAG = "Service";
export const ACCOUNTS_TAG = "Accounts";
