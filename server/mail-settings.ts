/** Settings of the SMTP server through which notifications are sent as emails. */
import { SECOND } from "./lib/clock.ts";
import { defineSetting } from "./setting.ts";

export interface MailAddress {
  name: string;
  address: string;
}

export interface MailConfig {
  /** With the credentials. */
  smtpUrl: string;
  from: MailAddress;
  replyTo: MailAddress;
  /** How long an email waits, so that what is read meanwhile is not sent. */
  delayMs: number;
}

/** The parsed settings. */
export interface MailValues {
  smtpUrl: string | null;
  mailFrom: MailAddress | null;
  mailReplyTo: MailAddress | null;
  mailDelayMs: number;
}

/** A name that needs no quotes, and an address without white space. */
const ADDRESS = /^(?:([^<>@",;:\\]*?)\s*<([^\s<>@",;]+@[^\s<>@",;]+)>|([^\s<>@",;]+@[^\s<>@",;]+))$/u;

function parseAddress(text: string): MailAddress | null {
  if (text === "") return null;
  const [match, name = "", named, bare] = ADDRESS.exec(text) ?? [];
  if (match === undefined) throw new Error("must be an address such as talkback@studio.example, or Talkback <talkback@studio.example>");
  return { name, address: named ?? bare ?? "" };
}

export const MAIL_SETTINGS = {
  smtpUrl: defineSetting({
    name: "SMTP_URL",
    defaultText: "",
    description:
      "SMTP server for notifications by email, such as `smtps://user:password@mail.example` or `smtp://mail.example:587`. Without it no emails are sent.",
    parse(text) {
      if (text === "") return null;
      const url = URL.canParse(text) ? new URL(text) : null;
      if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "") throw new Error("must start with smtp:// or smtps:// and name a server");
      return text;
    },
  }),
  mailFrom: defineSetting({
    name: "MAIL_FROM",
    defaultText: "",
    description: "Address that emails come from, such as `Talkback <talkback@studio.example>`. Required with `SMTP_URL`.",
    parse: parseAddress,
  }),
  mailReplyTo: defineSetting({
    name: "MAIL_REPLY_TO",
    defaultText: "",
    description: "Address that answers to emails go to, which somebody reads. Default: `MAIL_FROM`.",
    parse: parseAddress,
  }),
  mailDelayMs: defineSetting({
    name: "MAIL_DELAY",
    defaultText: "60",
    description: "Seconds that an email waits, so that what is read meanwhile is not sent, and several notifications become one email.",
    parse(text) {
      if (!/^\d{1,4}$/.test(text)) throw new Error("must be a whole number of seconds, at most 9999");
      return Number(text) * SECOND;
    },
  }),
};

/** Returns null where no emails are sent. */
export function readMailConfig({ smtpUrl, mailFrom, mailReplyTo, mailDelayMs }: MailValues): MailConfig | null {
  return smtpUrl && mailFrom ? { smtpUrl, from: mailFrom, replyTo: mailReplyTo ?? mailFrom, delayMs: mailDelayMs } : null;
}
