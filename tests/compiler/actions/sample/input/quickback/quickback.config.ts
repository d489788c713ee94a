export default {
  name: "sample",
  openapi: { generate: false },
  build: { dependencies: { "pluralize": "8.0.0" } },
};
