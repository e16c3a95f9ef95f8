/** Sends one email with the settings of the service, so that operators learn at once whether they are right. */
import * as z from "zod/mini";
import { email } from "../../contract/text.ts";
import { createMailSender } from "../delivery/send-mail.ts";
import { MINUTE } from "../lib/clock.ts";
import { newPublicId } from "../lib/crypto.ts";
import { type Command, CommandError, UsageError } from "./command.ts";

const OUTCOMES = {
  rejected: "The server does not accept this email.",
  refused: "The server does not accept the connection, its encryption or the credentials, or not now.",
  unreachable: "The server cannot be reached.",
  timeout: "The server did not respond in time.",
  interrupted: "The attempt was interrupted.",
};

export const testMailCommand: Command = {
  usage: "test-mail --to ADDRESS",
  description: "Sends a test email through SMTP_URL and prints what the server says.",
  required: ["to"],
  optional: [],
  async run({ config: { mail }, publicUrl }, { to = "" }) {
    if (!mail) throw new UsageError("No emails are sent: set SMTP_URL and MAIL_FROM.");
    if (!z.safeParse(email, to).success) throw new UsageError("--to must be an email address.");
    const sender = createMailSender({ url: mail.smtpUrl, from: mail.from, replyTo: mail.replyTo }, MINUTE);
    const { outcome, error } = await sender.send(
      {
        to: { name: "", address: to },
        subject: "Test email from Talkback",
        text: `Emails from Talkback arrive.\n\n${publicUrl}\n`,
        messageId: `<test.${newPublicId()}@${new URL(publicUrl).hostname}>`,
        headers: { "Auto-Submitted": "auto-generated" },
      },
      new AbortController().signal,
    );
    await sender.close();
    if (outcome !== "ok") throw new CommandError(`${OUTCOMES[outcome]} ${error instanceof Error ? error.message : ""}`.trim());
    return [`The server accepted an email to ${to}. Answers to it go to ${mail.replyTo.address}.`];
  },
};
