/**
 * Entry point for the rows that the proofs plant: a world of callers, its records, and how they are written into a database.
 */
export { apiKeySeed, insertAccounts } from "./api_key_seed.ts";
export { clientGrantSeed } from "./client_grant_seed.ts";
export { computedValues } from "./computed_values.ts";
export { columnValue, SEARCH_TERM, timeText } from "./conditions.ts";
export { type Followed, followedIn, ownConditions } from "./followed.ts";
export { type Admission, type HiddenColumn, nameOf, sightOf } from "./hidden_columns.ts";
export { rolledUpColumns, ruledColumns, twinValues } from "./hidden_columns.ts";
export { organizationOf, withinDatabases } from "./own_databases.ts";
export { countingBytes, type NewRowId, type RowId, rowIds } from "./row_ids.ts";
export type { SeedRandomness } from "./row_ids.ts";
export { firstFreeIds, insertSeeds, removeSeeds, type SeedDatabase } from "./seed_database.ts";
export { type SeedOrganizations, type SeedPlaces, storedRecords } from "./seed_database.ts";
export { storedSeed } from "./seed_database.ts";
export type { SeedRow, SeedValues } from "./seed_row.ts";
export { foreignVariant, freshParent, HOME, isColleagues, peerVariant } from "./seed_rows.ts";
export { sameRow, type SeedOptions, seedRows, spareSeeding } from "./seed_rows.ts";
export { sameChildren } from "./same_children.ts";
export { withTotals } from "./totals.ts";
export { COLLEAGUES, KNOWN, twinRows } from "./twins.ts";
export { sessionSeed } from "./session_seed.ts";
export { StandingRows } from "./standing_rows.ts";
export { fittingRows, isUnique, tightKey } from "./unique_rows.ts";
export { accountWorldsOf, TWIN_FOREIGN, TWIN_HOME, twinWorldsOf, type World } from "./world.ts";
export { worldsOf } from "./world.ts";
