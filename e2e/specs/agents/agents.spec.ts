/** Agents: created, limited, paused and deleted by an owner, and marked wherever they speak. */
import type { Page } from "@playwright/test";
import * as agents from "../../../contract/operations/agents.ts";
import { call, createProject, joinByInvite, type Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { composer, dialog, message, selectOption, sectionOf } from "../../fixtures/pages.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { expect, test } from "../../fixtures/test.ts";

const organization = shareOrganization();

const post = (url: string, token: string, body: object) =>
  fetch(`${url}/v1/account/projects/chat_message`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const createAgent = async (owner: Person, username: string, project_ids: number[]) =>
  (await call(owner, agents.createAgent, { body: { username, role: "member", scopes: ["account:read", "chat:read", "chat:write"], project_ids } })).data;
/** The mark beside the agent's name. */
const mark = (page: Page, text: string) => message(page, text).getByText("Agent", { exact: true });

test("an owner creates an agent, whose program posts with a token and is marked as an agent in another browser", async ({ open, pageErrors }) => {
  // A page may ask for parts of the agent in the moment in which it is deleted.
  pageErrors.allow(statusError(404));
  const { owner } = organization();
  const project = await createProject(owner, "Nightdrive");
  const ben = await joinByInvite(owner, "Ben Agentless", "member", [project.id]);
  const page = await open(owner, "/settings/agents");
  await expect(page.getByText("No agents yet")).toBeVisible();
  await expectAccessible(page);

  await test.step("the form refuses a name that is taken, and then creates it", async () => {
    await page.getByRole("button", { name: "New agent" }).press("Enter");
    const form = dialog(page, "New agent");
    await expect(form.getByRole("textbox", { name: "Name" })).toBeFocused();
    await expectAccessible(page);
    await form.getByRole("button", { name: "Create agent" }).click();
    await expect(form.getByRole("textbox", { name: "Name" })).toHaveAttribute("aria-invalid", "true");
    await form.getByRole("textbox", { name: "Name" }).fill("Loudness bot");
    await form.getByRole("textbox", { name: "What it does" }).fill("Posts the loudness of every mix.");
    await selectOption(form.getByRole("button", { name: /Role$/ }), "Guest");
    await form.getByRole("checkbox", { name: "Nightdrive" }).check();
    await form.getByRole("button", { name: "Create agent" }).click();
    await expect(page.getByRole("heading", { name: "Loudness bot" })).toBeFocused();
    await expect(sectionOf(page, "What it may do")).toContainText("Post messages, and edit and delete its own");
    await expect(sectionOf(page, "What it may do").getByRole("link", { name: "Nightdrive" })).toBeVisible();
    await expectAccessible(page);
  });

  const token = await test.step("its token is shown once", async () => {
    await page.getByRole("button", { name: "New token" }).click();
    const form = dialog(page, "New token");
    await expect(form.getByRole("checkbox", { name: /Upload files/ })).toHaveCount(0);
    await form.getByRole("textbox", { name: "Name" }).fill("Render server");
    await form.getByRole("button", { name: "Create token" }).click();
    const shown = dialog(page, "Your new token");
    const secret = await shown.getByRole("textbox", { name: "Token" }).inputValue();
    await expect(shown).toContainText("Post a message to Nightdrive as Loudness bot:");
    await shown.getByRole("button", { name: "Done" }).click();
    await expect(sectionOf(page, "Tokens").getByRole("listitem")).toContainText("Render server");
    expect(await page.content()).not.toContain(secret);
    return secret;
  });

  const chat = await open(ben, `/projects/${project.id}/chat`);
  await expect(composer(chat)).toBeVisible();
  await test.step("what it posts is marked, and leads to its page, which a member reads", async () => {
    expect((await post(owner.url, token, { project_id: project.id, body: "Nightdrive mix: -9.8 LUFS" })).status).toBe(200);
    await expect(mark(chat, "-9.8 LUFS")).toBeVisible();
    await message(chat, "-9.8 LUFS")
      .getByRole("button", { name: /Loudness bot/ })
      .first()
      .click();
    await expectAccessible(chat);
    await chat.getByRole("link", { name: "About this agent" }).click();
    await expect(chat.getByRole("heading", { name: "Loudness bot" })).toBeVisible();
    await expect(chat.getByRole("heading", { name: "What it may do" })).toBeVisible();
    for (const name of ["Pause", "Edit", "New token", "Add to project"]) await expect(chat.getByRole("button", { name })).toHaveCount(0);
    await expectAccessible(chat);
  });

  await test.step("a pause refuses its token, and shows in the other browser at once", async () => {
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await expect(page.getByText(`Paused by ${owner.name}`, { exact: false })).toBeVisible();
    await expectAccessible(page);
    await expect(chat.getByText(`Paused by ${owner.name}`, { exact: false })).toBeVisible();
    expect((await post(owner.url, token, { project_id: project.id, body: "while paused" })).status).toBe(403);
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await expect(chat.getByText(`Paused by ${owner.name}`, { exact: false })).toHaveCount(0);
    expect((await post(owner.url, token, { project_id: project.id, body: "after the pause" })).status).toBe(200);
  });

  await test.step("deleted, its token ends, and what it wrote keeps its name and mark", async () => {
    await page.getByRole("button", { name: "More actions for Loudness bot" }).click();
    await page.getByRole("menuitem", { name: "Delete agent…" }).click();
    await expectAccessible(page);
    await dialog(page, "Delete “Loudness bot”?").getByRole("button", { name: "Delete agent" }).click();
    await expect(page.getByText("No agents yet")).toBeVisible();
    await expect(chat.getByRole("heading", { name: "Deleted agent" })).toBeVisible();
    expect((await post(owner.url, token, { project_id: project.id, body: "after the end" })).status).toBe(401);
    await chat.goto(`${ben.url}/projects/${project.id}/chat`);
    await expect(message(chat, "after the pause")).toContainText("Loudness bot");
    await expect(mark(chat, "-9.8 LUFS")).toBeVisible();
  });
});

test("an agent joins and leaves projects on its page, and fewer permissions apply to its token at once", async ({ open }) => {
  const { owner } = organization();
  const project = await createProject(owner, "Paper Moon");
  const agent = await createAgent(owner, "Stem collector", []);
  const { token } = (
    await call(owner, agents.createAgentToken, { params: { agent_id: agent.id }, body: { name: "Stems", scopes: ["chat:read", "chat:write"] } })
  ).data;
  const page = await open(owner, `/settings/agents/${agent.id}`);
  const rights = sectionOf(page, "What it may do");
  await expect(rights).toContainText("It is in no project you can see");
  expect((await post(owner.url, token!, { project_id: project.id, body: "not yet" })).status).toBe(404);

  await page.getByRole("button", { name: "Add to project" }).click();
  const add = dialog(page, "Add Stem collector to a project");
  await selectOption(add.getByRole("button", { name: /Project$/ }), "Paper Moon");
  await add.getByRole("button", { name: "Add", exact: true }).click();
  await expect(rights.getByRole("link", { name: "Paper Moon" })).toBeVisible();
  expect((await post(owner.url, token!, { project_id: project.id, body: "now" })).status).toBe(200);

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const form = dialog(page, "Edit “Stem collector”");
  await form.getByRole("checkbox", { name: /Post messages/ }).uncheck();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(rights).toContainText("It can't post.");
  expect((await post(owner.url, token!, { project_id: project.id, body: "no longer" })).status).toBe(403);

  await rights.getByRole("button", { name: "Remove from Paper Moon" }).click();
  await dialog(page, /^Remove Stem collector from/)
    .getByRole("button", { name: "Remove", exact: true })
    .click();
  await expect(rights).toContainText("It is in no project you can see");
});

test("the members page lists people only, and links to an agent lead to its page", async ({ open }) => {
  const { owner } = organization();
  const agent = await createAgent(owner, "Archive bot", []);
  const page = await open(owner, "/settings/members");
  await expect(page.getByRole("main").getByText(owner.name).first()).toBeVisible();
  await expect(page.getByRole("main").getByText("Archive bot")).toHaveCount(0);
  await page.goto(`${owner.url}/settings/members?person=${agent.id}`);
  await expect(page.getByRole("heading", { name: "Archive bot" })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").fill("archive");
  await expect(page.getByRole("option", { name: /Archive bot.*Agent/ })).toBeVisible();
});
