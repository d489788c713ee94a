/** The face of the audit: recorded statements against the definitions. */
export { type Audit, auditRequests } from "./audit_requests.ts";
export type { Clearance, Fault, Finding } from "./finding.ts";
export type { RecordedRequest, RecordedStatement, SqlValue } from "./statement_record.ts";
