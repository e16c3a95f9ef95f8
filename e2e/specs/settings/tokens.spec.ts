import { createToken } from "../../../contract/operations/accounts.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { dialog } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

const fetchHistory = (url: string, token: string, projectId: number) =>
  fetch(`${url}/v1/account/projects/chat_history`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ project_id: projectId, limit: 10 }),
  });

test("a token needs a name and a scope, is shown once, reads the chat through the API, and is rejected as soon as it is revoked", async ({
  pair: { ana, project },
  open,
}) => {
  const page = await open(ana, "/settings/tokens");
  await expect(page.getByText("No API tokens yet")).toBeVisible();
  await page.getByRole("button", { name: "New token" }).click();
  const form = dialog(page, "New token");
  const checkedScopes = form.getByRole("checkbox", { checked: true });
  await expect(checkedScopes).toHaveCount(2);
  for (let remaining = 2; remaining > 0; remaining -= 1) {
    await checkedScopes.first().uncheck();
    await expect(checkedScopes).toHaveCount(remaining - 1);
  }
  await form.getByRole("button", { name: "Create token" }).click();
  await expect(form.getByRole("textbox", { name: "Name" })).toHaveAttribute("aria-invalid", "true");
  await expect(form.getByRole("alert")).toContainText("Permissions");
  await page.keyboard.press("Escape");
  await expect(form).toHaveCount(0);

  await page.getByRole("button", { name: "New token" }).click();
  await form.getByRole("textbox", { name: "Name" }).fill("Stem exporter");
  await page.getByRole("button", { name: "Create token" }).click();
  const token = await dialog(page, "Your new token").getByRole("textbox", { name: "Token" }).inputValue();
  const command = await dialog(page, "Your new token").getByRole("region", { name: "Try it" }).innerText();
  await dialog(page, "Your new token").getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Stem exporter" })).toContainText("Never used");
  await expect(page.getByRole("listitem").filter({ hasText: "Stem exporter" })).toBeVisible();
  expect(await page.content()).not.toContain(token);

  // The dialog's command is a complete request.
  const [, url = "", authorization = "", body = ""] =
    /^curl (\S+) \\\n\s+-H "Authorization: (.+)" \\\n\s+-H "Content-Type: application\/json" \\\n\s+-d '(.+)'$/.exec(command) ?? [];
  const example = await fetch(url, { method: "POST", headers: { authorization, "content-type": "application/json" }, body });
  expect([example.status, await example.json()]).toMatchObject([200, { object: "list", data: [] }]);
  await page.reload();
  await expect(page.getByRole("listitem").filter({ hasText: "Stem exporter" })).toContainText("Last used just now");
  const response = await fetchHistory(ana.url, token, project.id);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ object: "list", data: [] });
  const writeResponse = await fetch(`${ana.url}/v1/account/projects/chat_message`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ project_id: project.id, body: "not within its scopes" }),
  });
  expect(writeResponse.status).toBe(403);

  await page
    .getByRole("listitem")
    .filter({ hasText: "Stem exporter" })
    .getByRole("button", { name: /^Revoke/ })
    .click();
  await dialog(page, /^Revoke/)
    .getByRole("button", { name: "Revoke" })
    .click();
  await expect(page.getByText("No API tokens yet")).toBeVisible();
  await expect(page.getByRole("button", { name: "New token" })).toBeFocused();
  expect((await fetchHistory(ana.url, token, project.id)).status).toBe(401);
});

test("an expired token is listed apart, is rejected, and can be removed; a guest learns which permissions have no effect", async ({
  createPerson,
  pair: { project },
  open,
}) => {
  const guest = await createPerson("Gus", "guest", [project.id]);
  const expires_at = new Date(Date.now() + 500).toISOString();
  const { token } = (await call(guest, createToken, { body: { name: "Old exporter", scopes: ["chat:read"], expires_at } })).data;
  await expect.poll(async () => (await fetchHistory(guest.url, token ?? "", project.id)).status).toBe(401);
  const page = await open(guest, "/settings/tokens");
  await expect(page.getByText("No active API tokens")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Expired" })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "New token" }).click();
  const form = dialog(page, "New token");
  await expect(form.getByRole("checkbox", { name: /webhook endpoints/ })).toHaveAccessibleDescription(/No effect with your role/);
  await expect(form.getByRole("checkbox", { name: "Leave projects in your name" })).toHaveAccessibleDescription(/guests can't manage projects or people/);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Remove Old exporter" }).click();
  await dialog(page, /^Remove/)
    .getByRole("button", { name: "Remove" })
    .click();
  await expect(page.getByText("No API tokens yet")).toBeVisible();
});
