/** The examples' own tests, as `deno test` runs them in a clone. */
import "../../../examples/helpdesk/tests/tickets_test.ts";
