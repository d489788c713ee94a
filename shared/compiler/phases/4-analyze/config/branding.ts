/** Reads `branding`: the appearance of the messages and pages of accounts (definitions 2). */
import type { BrandingModel } from "../../../../model/mod.ts";
import { read } from "../read/read_member.ts";
import type { Token } from "../read/reader.ts";
import type { ConfigFields } from "./config_fields.ts";

/** Branding as configured, before the logo's file is looked up. */
export interface BrandingDraft extends Pick<BrandingModel, "name" | "color"> {
  readonly logo?: Token;
}

export function readBranding(config: ConfigFields): BrandingDraft {
  const branding = read(config, "branding");
  const [name, color, logo] = [
    read(branding, "name"),
    read(branding, "color"),
    read(branding, "logo"),
  ];
  return {
    ...(name === undefined ? {} : { name }),
    ...(color === undefined ? {} : { color: color.toLowerCase() }),
    ...(logo === undefined ? {} : { logo }),
  };
}
