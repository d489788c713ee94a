import { feature, q } from "quickback";

/** A main class of the decimal classification, the same for every library: a data step puts them in. */
export default feature("subjects", {
  columns: {
    code: q.text({ maxLength: 3 }).required().unique(),
    name: q.text({ maxLength: 100 }).required(),
  },
  firewall: { exception: true },
  read: { access: { roles: ["reader+"] } },
  displayColumn: "name",
  defaultSort: "code",
});
