import { defineConfig } from "quickback";

export default defineConfig({
  name: "catalogue",
});
