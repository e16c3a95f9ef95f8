import { getMailSettings } from "../../../contract/operations/notification-delivery.ts";
import { type MailServer, startMailServer } from "../../../server/testing/mail-server.ts";
import { call, createMessage, createProject, joinByInvite, setUpOwner, type Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { confirmAddresses } from "../../fixtures/mail.ts";
import { sectionOf } from "../../fixtures/pages.ts";
import { expect, test as base } from "../../fixtures/test.ts";

/** Somebody who has got an email, and the link at its end. */
const test = base.extend<{ mailed: { ana: Person; link: string; mails: MailServer } }>({
  mailed: async ({ startServiceWith }, use) => {
    const mails = await startMailServer();
    const service = await startServiceWith({ SMTP_URL: mails.url, MAIL_FROM: "talkback@northlight.test", MAIL_DELAY: "0" });
    const owner = await setUpOwner(service.url, service.setupLink());
    const { id } = await createProject(owner, "Nightdrive");
    const ana = await joinByInvite(owner, "Ana", "member", [id]);
    await confirmAddresses(mails, [owner, ana]);
    await createMessage(owner, id, `<@${ana.id}> please listen`);
    await mails.waitForMails(1);
    const [, link = ""] = /^Unsubscribe from all emails: (.*)$/m.exec(mails.received[0]!.text) ?? [];
    await use({ ana, link, mails });
    await mails.close();
  },
});

test("the link at the end of an email unsubscribes without a sign-in, after a question, and can be undone", async ({ mailed: { ana, link }, open }) => {
  const page = await open(null, link);
  await expect(page.getByRole("heading", { name: "Unsubscribe from emails" })).toBeVisible();
  await expect(page.getByText(ana.email)).toBeVisible();
  // Opening the link changes nothing, since mail scanners open links.
  expect((await call(ana, getMailSettings)).data.address_status).toBe("confirmed");
  // The address bar does not keep the secret.
  await expect(page).toHaveURL(`${ana.url}/unsubscribe`);
  await page.getByRole("button", { name: "Unsubscribe from all emails" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "You are unsubscribed" })).toBeFocused();
  expect((await call(ana, getMailSettings)).data.address_status).toBe("unsubscribed_by_link");
  await page.reload();
  await page.getByRole("button", { name: "Subscribe again" }).click();
  await expect(page.getByRole("heading", { name: "Unsubscribe from emails" })).toBeVisible();
  expect((await call(ana, getMailSettings)).data.address_status).toBe("confirmed");
  await expectAccessible(page);
});

test("the link in the header of an email, opened by a person, leads to the same page", async ({ mailed: { ana, mails }, open }) => {
  const [, link = ""] = /^<(.*)>$/.exec(mails.received[0]!.headers["list-unsubscribe"] ?? "") ?? [];
  const page = await open(null, link);
  await expect(page.getByRole("heading", { name: "Unsubscribe from emails" })).toBeVisible();
  await expect(page.getByText(ana.email)).toBeVisible();
});

test("a link that was cut off or changed says so", async ({ mailed: { link }, open, pageErrors }) => {
  const page = await open(null, link.split("#")[0]!);
  await expect(page.getByRole("heading", { name: "This link is incomplete" })).toBeVisible();
  pageErrors.allow(/404/);
  await page.goto(`${link.slice(0, -4)}AAAA`);
  await page.reload();
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
});

test("unsubscribing in the settings is seen in every tab", async ({ mailed: { ana }, open }) => {
  const page = await open(ana, "/settings/notifications");
  const other = await open(ana, "/settings/notifications", { viewport: { width: 390, height: 844 } });
  await sectionOf(page, "Email").getByRole("button", { name: "Unsubscribe" }).click();
  for (const tab of [page, other]) await expect(sectionOf(tab, "Email").getByRole("status")).toHaveText("You have unsubscribed from all emails.");
  await sectionOf(other, "Email").getByRole("button", { name: "Subscribe again" }).click();
  for (const tab of [page, other]) await expect(sectionOf(tab, "Email").getByRole("status")).toHaveText("You get the emails chosen above.");
});
