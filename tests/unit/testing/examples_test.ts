/** The examples' own tests, as `deno test` runs them in a clone. */
import "../../../examples/empty/tests/notes_test.ts";
import "../../../examples/field-service/tests/orders_test.ts";
import "../../../examples/helpdesk/tests/tickets_test.ts";
import "../../../examples/saas/tests/invoices_test.ts";
import "../../../examples/saas/tests/notes_test.ts";
