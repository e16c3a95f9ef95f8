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
  await dialog(page, "Your new token").getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Stem exporter" })).toBeVisible();
  expect(await page.content()).not.toContain(token);

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
  expect((await fetchHistory(ana.url, token, project.id)).status).toBe(401);
});
