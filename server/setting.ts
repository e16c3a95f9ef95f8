/** The shape of a setting, and parsers that throw an error with what is wrong with a text. */
import ipaddr from "ipaddr.js";

/** One environment variable. */
export interface Setting<T> {
  name: string;
  defaultText: string;
  /** One line of Markdown for the README. */
  description: string;
  parse(text: string): T;
}

export const defineSetting = <T>(setting: Setting<T>): Setting<T> => setting;

export function parseBytes(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error("must be a whole number of bytes");
  return Number(text);
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error("must be a whole number from 1 to 99999");
  return Number(text);
}

export function parseUrl(text: string): string | null {
  if (text === "") return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error("must be a URL that starts with http:// or https://");
  if (url.pathname !== "/" || url.search || url.hash || url.username) throw new Error("must be only scheme, host and port, such as https://talkback.example");
  return url.origin;
}

export function parseSwitch(text: string): boolean {
  if (text !== "on" && text !== "off") throw new Error("must be on or off");
  return text === "on";
}

export const parseList = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

export function parseNetworks(text: string): string[] {
  const parts = parseList(text);
  for (const part of parts) {
    if (!ipaddr.isValid(part) && !ipaddr.isValidCIDR(part)) throw new Error(`"${part}" is neither an IP address nor a network such as 10.0.0.0/8`);
  }
  return parts;
}

/** Wildcards and `null` are no origins: each page must be named. */
export function parseOrigins(text: string): string[] {
  return parseList(text).map((part) => {
    const url = URL.canParse(part) ? new URL(part) : null;
    if (!url || !/^https?:$/.test(url.protocol) || part !== url.origin || part.includes("*"))
      throw new Error(`"${part}" is no origin such as https://tools.example`);
    return part;
  });
}
