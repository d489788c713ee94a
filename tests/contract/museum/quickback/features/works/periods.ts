import { q } from "quickback";

export const periods = q.table("periods", { name: q.text() }, { exception: true });
