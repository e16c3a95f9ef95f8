/**
 * The cookie in which the client names to the service of its page the other services that this browser uses, so that the page's content security policy allows
 * their origins. It holds no secret.
 */

/** Browsers let only the host itself set a cookie with this prefix, but no page on plain http can. */
export const serviceOriginsCookie = (isHttps: boolean): string => (isHttps ? "__Host-talkback-services" : "talkback-services");

const SEPARATOR = "|";
const MAX_ORIGINS = 5;
const MAX_LENGTH = 255;

/** Returns the origins in the cookie's value, without everything that is not exactly an http(s) origin. */
export const parseServiceOrigins = (value: string): string[] => [...new Set(value.split(SEPARATOR).filter(isServiceOrigin))].slice(0, MAX_ORIGINS);

/** Returns the cookie's value with one more origin, first; the oldest ones beyond five are left out. */
export const addServiceOrigin = (value: string, origin: string): string => parseServiceOrigins([origin, value].join(SEPARATOR)).join(SEPARATOR);

/** Returns whether a text is an origin in the form in which a content security policy names it, which has no form for IPv6 addresses. */
export function isServiceOrigin(text: string): boolean {
  if (text.length > MAX_LENGTH || !/^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(text)) return false;
  return URL.canParse(text) && new URL(text).origin === text;
}
