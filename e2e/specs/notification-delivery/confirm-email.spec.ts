import { updateAccount } from "../../../contract/operations/accounts.ts";
import { previewMailConfirmation } from "../../../contract/operations/notification-delivery.ts";
import { type MailServer, startMailServer } from "../../../server/testing/mail-server.ts";
import { anonymous, call, createMessage, createProject, joinByInvite, setUpOwner, type Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { findConfirmationLink } from "../../fixtures/mail.ts";
import { sectionOf } from "../../fixtures/pages.ts";
import { expect, test as base } from "../../fixtures/test.ts";

interface Studio {
  owner: Person;
  ana: Person;
  projectId: number;
  mails: MailServer;
}

const test = base.extend<{ studio: Studio }>({
  studio: async ({ startServiceWith }, use) => {
    const mails = await startMailServer();
    const service = await startServiceWith({ SMTP_URL: mails.url, MAIL_FROM: "talkback@northlight.test", MAIL_DELAY: "0" });
    const owner = await setUpOwner(service.url, service.setupLink());
    const { id: projectId } = await createProject(owner, "Nightdrive");
    const ana = await joinByInvite(owner, "Ana", "member", [projectId]);
    await use({ owner, ana, projectId, mails });
    await mails.close();
  },
});
const ADDRESS = "ana@home.test";
const mailsTo = ({ received }: MailServer, address: string) => received.filter(({ to }) => to.includes(address)).map(({ headers }) => headers["subject"]);
const CONFIRMATION = "Confirm your email address for Northlight Audio";

test("a new address gets an email, is confirmed by its link in a signed-out browser, and then gets a mention", async ({ studio, open }) => {
  const { owner, ana, projectId, mails } = studio;
  // An address that is replaced before its email is sent gets none, so the first one arrives before.
  await findConfirmationLink(mails, ana.email);
  const page = await open(ana, "/settings/profile");
  const email = page.getByLabel("Email", { exact: true });
  await expect(email).toHaveAccessibleDescription("An email to confirm this address is on its way.");
  await email.fill(ADDRESS);
  await expect(email).toHaveAccessibleDescription("A new address gets no emails until you confirm it.");
  await page.keyboard.press("Enter");
  await expect(email).toHaveAccessibleDescription("An email to confirm this address is on its way.");
  await page.getByRole("link", { name: "Notifications", exact: true }).last().click();
  const section = sectionOf(page, "Email");
  await expect(section.getByText(ADDRESS)).toBeVisible();
  await expect(section.getByRole("status")).toHaveText("An email to this address is on its way. Use the link in it to confirm the address.");
  await createMessage(owner, projectId, `<@${ana.id}> too early`);

  const link = await findConfirmationLink(mails, ADDRESS);
  expect(mailsTo(mails, ADDRESS)).toEqual([CONFIRMATION]);
  const mailbox = await open(null, link);
  await expect(mailbox.getByRole("heading", { name: "Confirm your email address" })).toBeVisible();
  await expect(mailbox.getByText(`Ana of Northlight Audio gets notifications at ${ADDRESS}.`)).toBeVisible();
  await expectAccessible(mailbox);
  // The address bar does not keep the secret, and opening the link changes nothing, since mail scanners open links.
  await expect(mailbox).toHaveURL(`${ana.url}/confirm-email`);
  const [, token = ""] = link.split("#");
  expect((await call(anonymous(ana.url), previewMailConfirmation, { body: { token } })).data.confirmed).toBe(false);
  await mailbox.getByRole("button", { name: "Confirm email address" }).focus();
  await mailbox.keyboard.press("Enter");
  await expect(mailbox.getByRole("heading", { name: "Your email address is confirmed" })).toBeFocused();
  await expect(section.getByRole("status")).toHaveText("You get the emails chosen above.");
  await mailbox.reload();
  await expect(mailbox.getByRole("heading", { name: "Your email address is confirmed" })).toBeVisible();

  await createMessage(owner, projectId, `<@${ana.id}> Bass is hot at 1:23`);
  // What came before the confirmation waited for it.
  const textsTo = (address: string) =>
    mails.received
      .filter(({ to }) => to.includes(address))
      .map(({ text }) => text)
      .join();
  await expect.poll(() => textsTo(ADDRESS)).toContain("Bass is hot at 1:23");
  expect(textsTo(ADDRESS)).toContain("too early");
  expect(mailsTo(mails, ADDRESS)[0]).toBe(CONFIRMATION);
  expect(mailsTo(mails, ana.email)).toEqual([CONFIRMATION]);
});

test("the email can be sent again, three times a day, with the keyboard alone and without axe violations", async ({ studio, open, pageErrors }) => {
  const { ana, mails } = studio;
  const page = await open(ana, "/settings/notifications", { viewport: { width: 390, height: 844 } });
  const again = sectionOf(page, "Email").getByRole("button", { name: "Send again" });
  for (const count of [2, 3]) {
    await again.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => mailsTo(mails, ana.email)).toHaveLength(count);
  }
  await expectAccessible(page);
  pageErrors.allow(/429/);
  await again.click();
  await expect(page.getByRole("alert")).toContainText("At most 3 confirmation emails a day are sent to an account and an address.");
  await expect(page.getByRole("alert")).toContainText("Try again in 24 hours.");
});

test("an email that cannot be delivered, and a reader who wants none, are named in the settings", async ({ studio, open }) => {
  const { ana, mails } = studio;
  const link = await findConfirmationLink(mails, ana.email);
  const page = await open(ana, "/settings/notifications");
  const status = sectionOf(page, "Email").getByRole("status");
  mails.respondWith.status = 550;
  await sectionOf(page, "Email").getByRole("button", { name: "Send again" }).click();
  await expect(status).toHaveText("We could not deliver an email to this address. Check it in your profile.");

  const unsubscribe = /^Get no more emails at this address: (.*)$/m.exec(mails.received.find(({ text }) => text.includes(link))?.text ?? "")?.[1] ?? "";
  const mailbox = await open(null, unsubscribe);
  await mailbox.getByRole("button", { name: "Stop emails to this address" }).click();
  await expect(mailbox.getByRole("heading", { name: "Confirmation emails are stopped" })).toBeFocused();
  await expectAccessible(mailbox);
  await expect(status).toHaveText("Someone who reads this address stopped emails to it. To undo that, open the last link in the confirmation email.");
  await mailbox.getByRole("button", { name: "Allow emails again" }).click();
  await expect(status).toHaveText("We could not deliver an email to this address. Check it in your profile.");
  await mailbox.getByRole("button", { name: "Stop emails to this address" }).click();
  await sectionOf(page, "Email").getByRole("link", { name: "Edit profile" }).click();
  await expect(page.getByLabel("Email", { exact: true })).toBeVisible();
});

test("a link for a former address, one that was cut off, and one that was changed say so", async ({ studio, open, pageErrors }) => {
  const { ana, mails } = studio;
  const link = await findConfirmationLink(mails, ana.email);
  const page = await open(null, link.split("#")[0]!);
  await expect(page.getByRole("heading", { name: "This link is incomplete" })).toBeVisible();
  pageErrors.allow(/404|409/);
  await page.goto(`${link.slice(0, -4)}AAAA`);
  await page.reload();
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await call(ana, updateAccount, { body: { email: ADDRESS } });
  const former = await open(null, link);
  await expect(former.getByRole("heading", { name: "This link is for another address" })).toBeVisible();
});
