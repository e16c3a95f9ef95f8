/** Event subscriptions of an agent: set up on its page, delivered to a receiver, paused, resumed and deleted. */
import * as agents from "../../../contract/operations/agents.ts";
import { call, createMessage } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { dialog, sectionOf } from "../../fixtures/pages.ts";
import { respondWithStatus, verifySignature } from "../../fixtures/receiver.ts";
import { expect } from "../../fixtures/test.ts";
import { test } from "../../fixtures/webhooks.ts";

shareOrganization();

test("an owner has an agent told of messages: the secret is shown once and signs, deliveries are listed, paused, sent again and ended", async ({
  webhooks: { owner, project, receiver },
  open,
  pageErrors,
}) => {
  pageErrors.allow(statusError(400));
  const scopes = ["account:read", "chat:read"] as const;
  const body = { username: "Reply bot", role: "member" as const, scopes: [...scopes], project_ids: [project.id] };
  const agent = (await call(owner, agents.createAgent, { body })).data;
  const page = await open(owner, `/settings/agents/${agent.id}`);
  const section = sectionOf(page, "Event subscriptions");
  const row = section.getByRole("listitem");

  const secret = await test.step("bad input is told beside its field, then the secret is shown once", async () => {
    await section.getByRole("button", { name: "New subscription" }).press("Enter");
    const form = dialog(page, "New subscription");
    await expect(form.getByRole("textbox", { name: "URL" })).toBeFocused();
    await expectAccessible(page);
    await form.getByRole("textbox", { name: "URL" }).fill("ftp://agent.example");
    await form.getByRole("button", { name: "Create subscription" }).click();
    await expect(form.getByRole("textbox", { name: "URL" })).toHaveAttribute("aria-invalid", "true");
    await form.getByRole("textbox", { name: "URL" }).fill(receiver.url);
    await form.getByRole("checkbox", { name: /^New messages/ }).uncheck();
    await form.getByRole("button", { name: "Create subscription" }).click();
    await expect(form.getByText(/must include at least one event/)).toBeVisible();
    await form.getByRole("checkbox", { name: /^New messages/ }).check();
    await form.getByRole("button", { name: "Create subscription" }).click();
    const shown = dialog(page, "Its signing secret");
    const value = await shown.getByRole("textbox", { name: "Signing secret" }).inputValue();
    await shown.getByRole("button", { name: "Done" }).click();
    await expect(row).toContainText("1 type of event · All its projects · Nothing delivered yet");
    expect(await page.content()).not.toContain(value);
    return value;
  });

  await test.step("a message reaches the receiver, signed, in the form of the live channel", async () => {
    await createMessage(owner, project.id, "Is the master done?");
    await expect.poll(() => receiver.received.length).toBe(1);
    const [request] = receiver.received;
    expect(verifySignature(secret, request!)).toMatchObject({ type: "agent.event", data: { type: "message.created", data: { body: "Is the master done?" } } });
  });

  await test.step("deliveries are listed as they happen, and sent again", async () => {
    await expect(row).toContainText("Last delivered just now");
    await row.getByRole("button", { name: /^Deliveries to/ }).click();
    const log = dialog(page, /^Deliveries to/);
    await expect(log.getByRole("listitem")).toContainText(["message.created"]);
    await expect(log.getByText("Delivered", { exact: true })).toBeVisible();
    await expectAccessible(page);
    receiver.respondWith(respondWithStatus(503));
    await createMessage(owner, project.id, "And the stems?");
    await expect(log.getByRole("listitem")).toHaveCount(2);
    await expect(log.getByText("Waiting", { exact: true })).toBeVisible();
    await log.getByRole("button", { name: /^Send again: message\.created/ }).click();
    await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(3);
    await page.keyboard.press("Escape");
  });

  await test.step("paused, nothing more is sent; resumed, later events are", async () => {
    receiver.respondWith(respondWithStatus(200));
    const more = row.getByRole("button", { name: /^More actions for/ });
    await more.click();
    await page.getByRole("menuitem", { name: "Pause" }).click();
    await expect(row.getByText("Paused", { exact: true })).toBeVisible();
    await createMessage(owner, project.id, "While it is paused");
    await more.click();
    await page.getByRole("menuitem", { name: "Resume" }).click();
    await expect(row.getByText("Paused", { exact: true })).toHaveCount(0);
    await createMessage(owner, project.id, "After the pause");
    const bodies = () => receiver.received.map(({ body: text }) => text).join("\n");
    await expect.poll(bodies).toContain("After the pause");
    expect(bodies()).not.toContain("While it is paused");
  });

  await test.step("a new secret is shown once, and the subscription is deleted", async () => {
    await row.getByRole("button", { name: /^More actions for/ }).click();
    await page.getByRole("menuitem", { name: "New secret…" }).click();
    await dialog(page, "Create a new secret?").getByRole("button", { name: "Create secret" }).click();
    await expect(dialog(page, "Its signing secret").getByRole("textbox", { name: "Signing secret" })).not.toHaveValue(secret);
    await dialog(page, "Its signing secret").getByRole("button", { name: "Done" }).click();
    await row.getByRole("button", { name: /^More actions for/ }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await dialog(page, "Delete this subscription?").getByRole("button", { name: "Delete subscription" }).click();
    await expect(section.getByText("No subscriptions")).toBeVisible();
  });
});
