/** The face of a project's messages and pages: its name, its colour and its logo (definitions 2, `branding`). */
export interface BrandingModel {
  readonly name?: string;
  /** Colour as `#rrggbb`, in lower case. */
  readonly color?: string;
  readonly logo?: LogoModel;
}

export interface LogoModel {
  readonly type: "image/svg+xml" | "image/png";
  /** Content in base64. */
  readonly data: string;
}

/** Largest size of a logo in bytes; every page contains it. */
export const LOGO_MAX_BYTES = 32 * 1024;

/** Returns the name that people read. */
export function shownName(
  { name, branding }: { readonly name: string; readonly branding?: BrandingModel },
): string {
  return branding?.name ?? name;
}

/** Returns black or white, whichever has more contrast on the colour: always at least 4.5 to 1 (WCAG 2.2, 1.4.3). */
export function textOn(color: string): "#000000" | "#ffffff" {
  const light = luminance(color);
  return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
}

/** Returns the relative luminance of `#rrggbb`, from 0 to 1 (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
