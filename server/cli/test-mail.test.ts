import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { type MailServer, startMailServer } from "../testing/mail-server.ts";
import type { CommandContext } from "./command.ts";
import { testMailCommand } from "./test-mail.ts";

let server: MailServer;
beforeAll(async () => void (server = await startMailServer()));
afterAll(() => server.close());

const run = (to: string, environment: Record<string, string>) => {
  const config = readConfig(environment);
  return testMailCommand.run({ config, publicUrl: config.publicUrl } as CommandContext, { to });
};
const settings = () => ({ SMTP_URL: server.url, MAIL_FROM: "talkback@studio.test", MAIL_REPLY_TO: "office@studio.test" });

test("test-mail sends an email and says where answers go", async () => {
  expect(await run("ana@studio.test", settings())).toEqual(["The server accepted an email to ana@studio.test. Answers to it go to office@studio.test."]);
  expect(server.received).toMatchObject([{ to: ["ana@studio.test"], headers: { "reply-to": "office@studio.test" } }]);
});

test("test-mail says what is wrong with the settings, the address and the server", async () => {
  await expect(run("ana@studio.test", {})).rejects.toThrow("No emails are sent: set SMTP_URL and MAIL_FROM.");
  await expect(run("nobody", settings())).rejects.toThrow("--to must be an email address.");
  await expect(run("ana@studio.test", { ...settings(), SMTP_URL: "smtp://127.0.0.1:9" })).rejects.toThrow(
    /^The server cannot be reached\. connect ECONNREFUSED/,
  );
  server.respondWith.status = 550;
  await expect(run("ana@studio.test", settings())).rejects.toThrow(/^The server does not accept this email\. .*550/);
});
