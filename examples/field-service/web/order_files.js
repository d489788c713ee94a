/** Papers and photos of an order. Their bytes are read by addresses that are good for some minutes. */
import { api, attempt } from "./api.js";
import { field, h } from "./dom.js";

/** @param {import("./order.js").Shown} shown */
export function papers({ order, documents: there, again }) {
  const documents = api.resource("documents");
  const form = h(
    "form",
    {
      class: "line-form",
      submit: (event) =>
        attempt(event, async () => {
          const file = new FormData(form).get("file");
          if (!(file instanceof File)) return;
          const paper = { workOrderId: order.id, title: field(form, "title") || file.name };
          const { id } = await documents.create(paper);
          if (file.size > 0) await documents.file(id, "file").put(file);
          await again();
        }),
    },
    h("label", {}, "Title", h("input", { name: "title", maxlength: "200", required: true })),
    h("label", {}, "File", h("input", { name: "file", type: "file" })),
    h("button", {}, "Add"),
  );
  return h(
    "section",
    { class: "card" },
    h("h3", {}, "Papers"),
    h(
      "ul",
      {},
      ...there.map(({ id, title, kind, file }) =>
        h(
          "li",
          { class: "row" },
          h("span", {}, title),
          h("span", { class: "quiet" }, kind),
          file === null ? null : h("button", {
            type: "button",
            class: "plain",
            click: (event) =>
              attempt(event, async () => {
                const { url } = await documents.file(id, "file").presign({ method: "GET" });
                globalThis.open(url, "_blank", "noopener");
              }),
          }, `Open ${file.name}`),
        )
      ),
    ),
    form,
  );
}

/** @param {import("./order.js").Shown} shown */
export async function photos({ order, again, isOpen }) {
  const files = api.resource("workOrders").files(order.id, "photos");
  const input = h("input", {
    type: "file",
    accept: "image/*",
    change: (event) =>
      attempt(event, async () => {
        for (const photo of input.files ?? []) await files.add(photo);
        await again();
      }),
  });
  const pictures = await Promise.all(order.photos.map(async ({ id, name }) => {
    const { url } = await files.presign({ method: "GET", id });
    return h("img", { src: url, alt: name });
  }));
  return h(
    "section",
    { class: "card" },
    h("h3", {}, "Photos"),
    pictures.length === 0 ? h("p", { class: "quiet" }, "None yet.") : null,
    h("div", { class: "photos" }, ...pictures),
    isOpen ? h("label", {}, "Add a photo", input) : null,
  );
}
