import { WEBHOOK_FEATURES } from "../../../contract/webhook-features.ts";
import { sendMessage } from "../../../contract/operations/chat.ts";
import { createTasks } from "../../../contract/operations/tasks.ts";
import { createWebhookEndpoint } from "../../../contract/operations/webhooks.ts";
import { call, createProject, joinByInvite } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { dialog, selectOption } from "../../fixtures/pages.ts";
import { verifySignature, respondWithStatus } from "../../fixtures/receiver.ts";
import { expect } from "../../fixtures/test.ts";
import { endpointCard, deliveryRows, rowLink, test } from "../../fixtures/webhooks.ts";

shareOrganization();

test("the first webhook is explained, created and tested, and shows its secret once", async ({ webhooks: { owner, receiver }, open }) => {
  const page = await open(owner, "/settings/webhooks");
  await expect(page.getByRole("heading", { name: "Send events to your tools" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Example of file.status_changed" })).toContainText('"new_status"');
  await expectAccessible(page);

  await page.getByRole("button", { name: "New endpoint" }).click();
  await expect(page).toHaveURL(/endpoint=new/);
  const form = dialog(page, "New endpoint");
  await expect(form).toBeVisible();
  await expectAccessible(page);
  await form.getByRole("textbox", { name: "URL" }).fill(receiver.url);
  await expect(form.getByText("URL looks good.")).toBeVisible();
  await form.getByRole("checkbox", { name: "file.uploaded" }).check();
  await form.getByRole("button", { name: "Create endpoint" }).click();

  const secretDialog = dialog(page, "Your signing secret");
  const secret = await secretDialog.getByRole("textbox", { name: "Signing secret" }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await secretDialog.getByRole("button", { name: "Send test event" }).click();
  await expect(secretDialog.getByText("Delivered.")).toBeVisible();
  await expect(secretDialog.getByRole("region", { name: "Response" })).toContainText("HTTP 200");
  expect(receiver.received).toHaveLength(1);
  expect(verifySignature(secret, receiver.received[0]!)).toMatchObject({ object: "event", type: "file.uploaded" });

  await secretDialog.getByRole("button", { name: "Go to endpoint" }).click();
  await expect(page).toHaveURL(/\/settings\/webhooks\/\d+$/);
  await expect(deliveryRows(page, "Test")).toContainText("Delivered");
  // A test counts nowhere as a delivery.
  await expect(page.getByText("Nothing delivered yet")).toBeVisible();
  await expect(endpointCard(page, /talkback/)).toContainText("No events in 24 h");
  expect(await page.content()).not.toContain(secret);
  await expect(page.getByRole("heading", { level: 2, name: new URL(receiver.url).host })).toBeFocused();
});

test("a URL is validated while it is typed, and the service's error shows on its field", async ({ webhooks: { owner }, open, pageErrors }) => {
  pageErrors.allow(statusError(400));
  const page = await open(owner, "/settings/profile");
  // Mocks a service whose operator allows only https URLs; this one allows addresses of this machine too.
  const service = (await (await fetch(`${owner.url}/api/v2/service`)).json()) as { data: { features: string[] } };
  const features = service.data.features.filter((feature) => feature !== WEBHOOK_FEATURES.http);
  await page.route("**/api/v2/service", (route) => route.fulfill({ json: { ...service, data: { ...service.data, features } } }));
  await page.goto(`${owner.url}/settings/webhooks?endpoint=new`);
  const form = dialog(page, "New endpoint");
  const url = form.getByRole("textbox", { name: "URL" });
  await expect(url).toBeFocused();
  for (const [text, expectedError] of [
    ["http://tools.example/x", "URL must start with https://."],
    ["https://192.168.1.5/hook", "URL must be a public address."],
    ["https://0xc0a80105/", "URL must be a public address."],
    ["https://user:pass@tools.example/", "URL must not contain a username or password."],
    ["https://tools.example/#part", "URL must not contain a fragment (#…)."],
    ["tools.example", "URL must be a web address, such as https://tools.example/talkback."],
  ] as const) {
    await url.fill(text);
    await expect(url).toHaveAccessibleDescription(expectedError);
    await expect(url).toHaveAttribute("aria-invalid", "true");
  }
  await url.fill("https:");
  await expect(url).not.toHaveAttribute("aria-invalid");

  await form.getByRole("checkbox", { name: "file.status_changed" }).uncheck();
  await expect(form.getByRole("checkbox", { checked: true })).toHaveCount(0);
  await url.fill("https://127.0.0.1:8443/x");
  await expect(form.getByText("URL looks good.")).toBeVisible();
  await url.fill("https://user@tools.example/");
  await form.getByRole("button", { name: "Create endpoint" }).click();
  await expect(url).toBeFocused();
  await expect(form.getByRole("alert")).toHaveText("Choose at least one event.");

  // The page accepts this URL; the service rejects the one it receives, and its reason appears beside the field.
  await page.route("**/api/v2/webhook-endpoints", async (route) => {
    const body = route.request().postDataJSON() as Record<string, unknown> | null;
    if (route.request().method() !== "POST") return route.fallback();
    return route.continue({ postData: JSON.stringify({ ...body, url: "https://192.168.7.7/" }) });
  });
  await url.fill("https://tools.example/x");
  await form.getByRole("checkbox", { name: "task.closed" }).check();
  await form.getByRole("button", { name: "Create endpoint" }).click();
  await expect(url).toHaveAccessibleDescription(/^URL must be a public address/);
  await expect(form).toBeVisible();
  // The error is about the former URL and goes with the first letter.
  await url.pressSequentially("y");
  await expect(url).not.toHaveAttribute("aria-invalid");
  await expect(form.getByText("URL looks good.")).toBeVisible();
});

test("an endpoint is limited to a project, whose comments, messages and tasks it gets", async ({ webhooks: { owner, project, receiver }, open }) => {
  const other = await createProject(owner, "Elsewhere");
  for (let number = 1; number <= 8; number += 1) await createProject(owner, `Archive ${number}`);
  const page = await open(owner, "/settings/webhooks?endpoint=new");
  const form = dialog(page, "New endpoint");
  await form.getByRole("textbox", { name: "URL" }).fill(receiver.url);
  await form.getByRole("checkbox", { name: "file.status_changed" }).uncheck();
  for (const type of ["comment.created", "message.created", "task.created"]) await form.getByRole("checkbox", { name: type }).check();
  await selectOption(form.getByRole("button", { name: "Projects" }), "Selected projects");
  // Enter does not submit the form, which would complain about the missing project.
  await form.getByRole("searchbox", { name: "Find a project" }).press("Enter");
  await expect(form.getByRole("alert")).toHaveCount(0);
  await form.getByRole("button", { name: "Create endpoint" }).click();
  await expect(form.getByRole("alert")).toHaveText(/Choose at least one project/);
  await form.getByRole("searchbox", { name: "Find a project" }).fill("zzz");
  await expect(form.getByText("No matching projects")).toBeVisible();
  await form.getByRole("searchbox", { name: "Find a project" }).fill(project.name);
  await form.getByRole("checkbox", { name: project.name }).check();
  await expect(form.getByRole("group", { name: "1 project selected" })).toBeVisible();
  await expectAccessible(page);
  await form.getByRole("button", { name: "Create endpoint" }).click();
  await dialog(page, "Your signing secret").getByRole("button", { name: "Go to endpoint" }).click();
  await expect(page.getByRole("list", { name: "Projects" })).toHaveText(project.name);
  await expect(endpointCard(page, /talkback/)).toContainText(project.name);

  for (const { id, root_folder_id } of [other, project]) {
    await call(owner, sendMessage, { body: { project_id: id, body: "The mix is approved." } });
    await call(owner, createTasks, { body: { file_id: root_folder_id ?? 0, tasks: [{ title: "Bounce the stems" }] } });
  }
  await expect(deliveryRows(page, "task.created")).toContainText("Delivered");
  await expect(deliveryRows(page, "message.created")).toHaveCount(1);
  expect(receiver.received.map(({ event }) => [event.type, event.data["project_id"]])).toEqual([
    ["message.created", project.id],
    ["task.created", project.id],
  ]);

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const edit = dialog(page, "Edit endpoint");
  await expect(edit.getByRole("checkbox", { name: project.name })).toBeChecked();
  await selectOption(edit.getByRole("button", { name: "Projects" }), "All projects, including new ones");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toHaveCount(0);
  await expect(page.getByText("All projects, including new ones")).toBeVisible();
});

test("an endpoint is edited, paused and resumed, and its secret is rotated", async ({ webhooks: { owner, receiver, register, uploadFile }, open }) => {
  const endpoint = await register(["file.uploaded"]);
  const page = await open(owner, `/settings/webhooks/${endpoint.id}`);
  await test.step("an endpoint is edited", async () => {
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const form = dialog(page, "Edit endpoint");
    await expect(form.getByRole("textbox", { name: "URL" })).toHaveValue(receiver.url);
    await expectAccessible(page);
    await form.getByRole("checkbox", { name: "file.renamed" }).check();
    await form.getByRole("textbox", { name: "Description (optional)" }).fill("Feeds the distributor; ask Mia.");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form).toHaveCount(0);
    await expect(page.getByText("Feeds the distributor; ask Mia.")).toBeVisible();
    await expect(endpointCard(page, /file\.uploaded, file\.renamed/)).toBeVisible();
  });

  await test.step("events of a paused endpoint are held", async () => {
    await page.getByRole("button", { name: /^More actions for / }).click();
    await page.getByRole("menuitem", { name: "Pause" }).click();
    await expect(page.getByText(`Paused by ${owner.name}. No events are lost.`)).toBeVisible();
    await uploadFile("held_one.txt");
    await uploadFile("held_two.txt");
    await expect(deliveryRows(page, "held_one.txt")).toContainText("Held");
    await expect(page.getByText("2 events held.", { exact: true })).toBeVisible();
    expect(receiver.received).toHaveLength(0);
  });

  await test.step("Resume sends the held events", async () => {
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Send held events" }).click();
    const recoverDialog = dialog(page, "Recover since");
    await expect(recoverDialog).toBeVisible();
    await expectAccessible(page);
    await recoverDialog.getByRole("button", { name: "Recover", exact: true }).click();
    await expect(recoverDialog.getByText("2 events are being resent.")).toBeVisible();
    await recoverDialog.getByRole("button", { name: "Done" }).click();
    for (const name of ["held_one.txt", "held_two.txt"]) await expect(deliveryRows(page, name)).toContainText("Delivered");
    // They are sent in parallel, so they may arrive in any order.
    expect(receiver.received).toHaveLength(2);
    expect(new Set(receiver.received.map(({ event }) => event.data["name"]))).toEqual(new Set(["held_one.txt", "held_two.txt"]));
    await expect(page.getByRole("button", { name: "Send held events" })).toHaveCount(0);
  });

  await test.step("a rotation shows the new secret once, and both secrets sign for a day", async () => {
    await page.getByRole("button", { name: "Rotate" }).click();
    const confirmDialog = dialog(page, "Rotate the signing secret?");
    await expect(confirmDialog).toBeVisible();
    await expectAccessible(page);
    await confirmDialog.getByRole("button", { name: "Rotate" }).click();
    const secretDialog = dialog(page, "Your new signing secret");
    const newSecret = await secretDialog.getByRole("textbox", { name: "Signing secret" }).inputValue();
    expect(newSecret).not.toBe(endpoint.secret);
    await secretDialog.getByRole("button", { name: "Done" }).click();
    await expect(page.getByText(/^The previous secret works until /)).toBeVisible();
    await expect(page.getByText(`whsec_••••••••${newSecret.slice(-4)}`)).toBeVisible();
    await uploadFile("mix.txt");
    await expect(deliveryRows(page, "mix.txt")).toContainText("Delivered");
    for (const secret of [newSecret, endpoint.secret]) expect(verifySignature(secret, receiver.received.at(-1)!)).toMatchObject({ type: "file.uploaded" });
  });

  await page.getByRole("button", { name: "Python" }).click();
  await expect(dialog(page, "Verify signatures")).toBeVisible();
  await expectAccessible(page);
});

test("a failed test event shows its reason immediately; the URL of a deleted endpoint shows that it is gone", async ({
  webhooks: { owner, receiver, register },
  open,
  network,
}) => {
  receiver.respondWith(respondWithStatus(404, { "content-type": "text/plain" }, "no such route"));
  const endpoint = await register();
  const other = await register(["task.closed"], "http://127.0.0.1:9/other");
  const page = await open(owner, `/settings/webhooks/${endpoint.id}`);
  await test.step("a failed test event shows its reason", async () => {
    await page.getByRole("button", { name: "Send test event" }).click();
    const testDialog = dialog(page, "Send a test event");
    await expect(testDialog).toBeVisible();
    await expectAccessible(page);
    await selectOption(testDialog.getByRole("button", { name: "Event", exact: false }).first(), "task.closed");
    await testDialog.getByRole("button", { name: "Send test event" }).click();
    await expect(testDialog.getByRole("alert")).toContainText("Nothing found at this URL (404).");
    await expect(testDialog.getByRole("region", { name: "Response" })).toContainText("no such route");
    expect(receiver.received.at(-1)?.event).toMatchObject({ type: "task.closed", data: { object: "task" } });

    await receiver.stop();
    await testDialog.getByRole("button", { name: "Send again" }).click();
    await expect(testDialog.getByRole("alert")).toContainText("nothing is listening at this address");
    await testDialog.getByRole("link", { name: "View in log" }).click();
    await expect(testDialog).toHaveCount(0);
    await expect(page).toHaveURL(/\/deliveries\/\d+$/);
    await expect(page.getByText("Test events are not retried.")).toBeVisible();
  });

  await test.step("an endpoint is deleted after a confirmation", async () => {
    await page.getByRole("button", { name: /^More actions for / }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const confirmDialog = dialog(page, /^Delete /);
    await expect(confirmDialog.getByRole("button", { name: "Cancel" }).first()).toBeFocused();
    await confirmDialog.getByRole("button", { name: "Delete" }).click();
    await expect(page).toHaveURL(/\/settings\/webhooks$/);
    await expect(page.getByRole("region", { name: "Endpoints" }).getByRole("link")).toHaveCount(1);
    await page.goto(`${owner.url}/settings/webhooks/${endpoint.id}`);
    await expect(page.getByText("Endpoint not found")).toBeVisible();
    await endpointCard(page, /other/).click();
    await expect(page).toHaveURL(new RegExp(`/settings/webhooks/${other.id}$`));
  });

  await test.step("an endpoint that was opened while another one is being deleted stays open", async () => {
    const third = await register(["task.closed"], "http://127.0.0.1:9/third");
    await page.goto(`${owner.url}/settings/webhooks/${third.id}`);
    const paused = await network.pause(page, `**/api/v2/webhook-endpoints/${third.id}`, { method: "DELETE" });
    await page.getByRole("button", { name: /^More actions for / }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog(page, /^Delete /)
      .getByRole("button", { name: "Delete" })
      .click();
    await expect.poll(() => paused.urls.length).toBe(1);
    await page.keyboard.press("Escape");
    await endpointCard(page, /other/).click();
    await paused.end();
    await expect(endpointCard(page, /third/)).toHaveCount(0);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await expect(page).toHaveURL(new RegExp(`/settings/webhooks/${other.id}$`));
  });
});

test("members and guests see who can manage webhooks", async ({ webhooks: { owner, project, register }, open }) => {
  const endpoint = await register();
  for (const role of ["member", "guest"] as const) {
    const person = await joinByInvite(owner, `Ben ${role} ${endpoint.id}`, role, [project.id]);
    const page = await open(person, `/settings/webhooks/${endpoint.id}`);
    await expect(page.getByText("Only owners and admins can manage webhooks")).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Webhooks" })).toHaveCount(0);
    if (role === "member") await expectAccessible(page);
  }
  const admin = await joinByInvite(owner, `Ada ${endpoint.id}`, "admin");
  const page = await open(admin, "/settings/profile");
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Webhooks" }).click();
  await expect(endpointCard(page, /talkback/)).toBeVisible();
});

test("an endpoint and a delivery open and close by keyboard, and the focus returns; on a phone they are one pane at a time", async ({
  webhooks: { owner, register, uploadFile },
  open,
}) => {
  await register(["file.uploaded"]);
  await uploadFile("mix.txt");
  const page = await open(owner, "/settings/webhooks");
  await endpointCard(page, /talkback/).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: /talkback/ })).toBeFocused();
  const row = deliveryRows(page, "mix.txt").first();
  await expect(row).toContainText("Delivered");
  const link = rowLink(row);
  await link.focus();
  await page.keyboard.press("Enter");
  await expect(link).toHaveAttribute("aria-expanded", "true");
  await expect(link).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(link).toHaveAttribute("aria-expanded", "false");
  await expect(link).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("link", { name: "Endpoints" }).click();
  await expect(endpointCard(page, /talkback/)).toBeFocused();
  await endpointCard(page, /talkback/).click();
  await expect(page.getByRole("heading", { level: 2, name: /talkback/ })).toBeVisible();
  await expect(endpointCard(page, /talkback/)).toHaveCount(0);
  await page.getByRole("link", { name: "Endpoints" }).click();
  await expect(endpointCard(page, /talkback/)).toBeFocused();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow).toBe(0);
});

test("endpoints of somebody who is disabled are named before and after", async ({ webhooks: { owner, receiver }, open }) => {
  const admin = await joinByInvite(owner, "Ada Leaving", "admin");
  const body = { url: `${receiver.url}?of-ada`, event_types: ["file.uploaded"] };
  const { id } = (await call(admin, createWebhookEndpoint, { body })).data;
  const page = await open(owner, "/settings/members");
  await page.getByRole("button", { name: "More for Ada Leaving" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  const confirm = dialog(page, "Disable Ada Leaving?");
  await expect(confirm).toContainText("A webhook endpoint that they created keeps delivering");
  const path = `/settings/webhooks/${id}`;
  await expect(confirm.getByRole("link")).toHaveAttribute("href", path);
  await expectAccessible(page);
  await confirm.getByRole("button", { name: "Disable" }).click();
  await expect(confirm).toHaveCount(0);
  await page.goto(`${owner.url}${path}`);
  await expect(page.getByRole("status").filter({ hasText: "Created by Ada Leaving, who no longer has access" })).toBeVisible();
  await expectAccessible(page);
});
