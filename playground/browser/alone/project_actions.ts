/** Offers two ways to keep the project of a page without a server: as a downloaded zip, or in an address. */
import { button, element, show } from "../dom.ts";
import { zipOf } from "./project_archives.ts";
import { LINK_MAX, linkFragment } from "./share_link.ts";

export function showProjectActions(
  host: HTMLElement,
  name: string,
  files: () => Readonly<Record<string, string>>,
): void {
  const said = element("span", { class: "dim", role: "status" });
  const share = async () => {
    const fragment = await linkFragment(files());
    if (fragment.length > LINK_MAX) {
      said.textContent = "Too large for an address: save it as a zip";
      return;
    }
    const address = location.origin + location.pathname + fragment;
    history.replaceState(null, "", fragment);
    await navigator.clipboard.writeText(address);
    said.textContent = "The address is copied";
  };
  const save = () => {
    const address = URL.createObjectURL(zipOf(files()));
    const link = element("a", { href: address, download: `${name}.zip` });
    link.click();
    URL.revokeObjectURL(address);
  };
  show(
    host,
    said,
    button("Share", () => void share(), { class: "quiet" }),
    button("Save as zip", save, { class: "quiet" }),
  );
  host.hidden = false;
}
