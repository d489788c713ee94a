export const STAYS = ["admitted", "discharged", "transferred"] as const;
