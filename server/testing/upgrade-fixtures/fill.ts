/** Fills a service of any version through its API with some of everything that the version has. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAudio } from "../audio.ts";
import type { FixtureContent } from "./archive.ts";

const RATE = 8_000;
const TIMEOUT_MS = 60_000;
const OWNER = { organisation: "Northwind", username: "owner", email: "owner@talkback.test", password: "correct horse battery" };
/** Statuses of an operation that a version does not have. */
const ABSENT = [404, 405];

/** What a version answers: the shape depends on the version, so nothing is assumed about it. */
// eslint-disable-next-line typescript/no-explicit-any -- see above
type Answer = any;

interface Api {
  requests: Set<string>;
  absent: string[];
  /** Sends a request that the version must accept, and returns the data of its answer. */
  must(method: string, path: string, body?: object | Uint8Array): Promise<Answer>;
  /** The same for an operation that the version may not have yet: then it returns null. */
  may(method: string, path: string, body?: object): Promise<Answer>;
}

/** Sets the service up and signs its owner in. */
async function openApi(base: string, setupToken: string): Promise<Api> {
  const requests = new Set<string>();
  const absent: string[] = [];
  let cookie = "";
  const send = async (method: string, path: string, body?: object | Uint8Array) => {
    const isBytes = body instanceof Uint8Array;
    const type: Record<string, string> = body === undefined ? {} : { "content-type": isBytes ? "application/octet-stream" : "application/json" };
    const payload = body === undefined ? {} : { body: isBytes ? Buffer.from(body) : JSON.stringify(body) };
    const response = await fetch(base + path, { method, headers: { cookie, origin: base, ...type }, ...payload });
    const text = await response.text();
    if (response.ok) requests.add(`${method} ${path.replaceAll(/\/\d+/g, "/{id}").replace(/\?.*/, "")}`);
    else if (!ABSENT.includes(response.status)) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const answer: Answer = /json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : {};
    return { isAbsent: !response.ok, cookies: response.headers.getSetCookie(), data: answer.data ?? answer };
  };
  const { cookies } = await send("POST", "/api/v2/setup", { token: setupToken, ...OWNER });
  cookie = cookies.map((one) => one.split(";")[0]).join("; ");
  return {
    requests,
    absent,
    async must(method, path, body) {
      const { isAbsent, data } = await send(method, path, body);
      if (isAbsent) throw new Error(`The version has no ${method} ${path}`);
      return data;
    },
    async may(method, path, body) {
      const { isAbsent, data } = await send(method, path, body);
      if (isAbsent) absent.push(`${method} ${path}`);
      return isAbsent ? null : data;
    },
  };
}

interface Place {
  teamId: number;
  project: { id: number; root_folder_id: number };
  otherProjectId: number;
  memberId: number;
  /** An API token of the owner. */
  token: string;
}

/** Creates a group, two projects, a second person, a token and a reset link. */
async function fillOrganization({ must }: Api): Promise<Place> {
  const [team] = await must("POST", "/v1/teams/ls", {});
  const group = await must("POST", "/v1/groups/create", { name: "Albums", team_id: team.id });
  const project = await must("POST", "/v1/account/projects/create", {
    name: "Nightdrive",
    team_id: team.id,
    group_id: group.id,
    description: "The second album",
  });
  const other = await must("POST", "/v1/account/projects/create", { name: "Left alone", team_id: team.id });
  const invite = await must("POST", "/v1/teams/invite_member", { team_id: team.id, role: "member", project_ids: [project.id] });
  const ben = { username: "Ben Ålund", email: "ben@talkback.test", password: OWNER.password };
  const { account } = await must("POST", "/api/v2/invites/accept", { token: /[#=/]([\w-]{20,})$/.exec(invite.url)?.[1], ...ben });
  const { token } = await must("POST", "/api/v2/api-tokens", { name: "A script", scopes: ["chat:read", "chat:write", "files:read", "files:write"] });
  await must("POST", `/api/v2/accounts/${account.id}/password-reset`);
  return { teamId: team.id, project, otherProjectId: other.id, memberId: account.id, token };
}

interface FilledFiles {
  folderId: number;
  songId: number;
  originals: FixtureContent["originals"];
}

/** Creates a folder with a song in two versions, a text, and a deleted file. Returns null if the version has no files. */
async function fillFiles({ must, may }: Api, { teamId, project }: Place): Promise<FilledFiles | null> {
  const folder = await may("POST", "/v1/files/mkdir", { name: "Mixes", parent_id: project.root_folder_id });
  if (!folder) return null;
  const originals: FixtureContent["originals"] = [];
  const upload = async (name: string, bytes: Uint8Array, versionOf?: number): Promise<number> => {
    const target = versionOf === undefined ? `parent_id=${folder.id}&name=${encodeURIComponent(name)}` : `version_of=${versionOf}`;
    const { file_id, version } = await must("PUT", `/v1/files/upload?${target}`, bytes);
    originals.push({ fileId: file_id, version, sha256: createHash("sha256").update(bytes).digest("hex") });
    return file_id;
  };
  // A square wave, which takes little space in the fixture.
  const encode = (seconds: number, hertz: number) => {
    const samples = Float32Array.from({ length: seconds * RATE }, (_, index) => (Math.floor((index * hertz * 2) / RATE) % 2 === 0 ? 0.5 : -0.5));
    return encodeAudio("wav16", [samples], RATE);
  };
  const songId = await upload("Nightdrive.wav", encode(0.25, 200));
  await upload("Nightdrive.wav", encode(0.3, 250), songId);
  const textId = await upload("Übersicht.txt", Buffer.from("Intro, verse, chorus: who plays what\n"));
  const goneId = await upload("Gone.txt", Buffer.from("deleted later\n"));
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(100)) {
    const states = await Promise.all(
      [songId, textId].map(async (file_id) => (await must("POST", "/v1/files/get_info", { file_id })).common.transcoding_status),
    );
    if (states.every((state) => ["transcoded", "failed"].includes(state))) break;
    if (Date.now() > deadline) throw new Error(`Still under way: ${states.join(", ")}`);
  }
  await must("POST", "/v1/files/rename", { file_id: textId, name: "Overview.txt" });
  const statuses = await must("POST", "/v1/teams/get_file_statuses", { team_id: teamId });
  for (const { id } of statuses.slice(0, 2)) await must("POST", "/v1/files/set_status", { file_id: songId, status_id: id });
  await may("POST", `/api/v2/teams/${teamId}/file-statuses`, { title: "With the label", color: 3, is_final: false });
  await may("PATCH", `/api/v2/files/${songId}/tags`, { bpm: 121, key: null });
  await may("PUT", `/api/v2/files/${textId}/watch`, { watching: true });
  await must("POST", "/v1/files/delete", { file_id: goneId });
  return { folderId: folder.id, songId, originals: originals.filter(({ fileId }) => fileId !== goneId) };
}

/** Writes a mention, an attachment, a reply, an edited and a deleted message, and a reaction. Returns the texts that remain. */
async function fillChat({ must, may }: Api, { project, memberId }: Place, files: FilledFiles | null): Promise<string[]> {
  let count = 1_000;
  const write = (body: string, more: object = {}) =>
    must("POST", "/v1/account/projects/chat_message", { project_id: project.id, body, client_id: `fixture-${(count += 1)}`, ...more });
  const texts = ["Good morning", `Can you listen, <@${memberId}>?`, "Here it is ✨", "Too loud for me", "Tpyo", "Never mind, delete this"];
  const first = await write(texts[0]!);
  await write(texts[1]!);
  const third = await write(texts[2]!, files ? { attachment_ids: [files.songId] } : {});
  await write(texts[3]!, { parent_message_id: third.id });
  const edited = await write(texts[4]!);
  const deleted = await write(texts[5]!);
  if (await may("PATCH", `/api/v2/projects/${project.id}/messages/${edited.id}`, { body: "Typo" })) texts[4] = "Typo";
  if (await may("DELETE", `/api/v2/projects/${project.id}/messages/${deleted.id}`)) texts.pop();
  await may("PUT", `/api/v2/projects/${project.id}/messages/${first.id}/reactions/${encodeURIComponent("👍")}`);
  await must("PUT", `/api/v2/projects/${project.id}/read`, { message_id: third.id });
  return texts;
}

/** Writes comments, tasks, a playlist and metadata of the song. */
async function fillSong({ must, may }: Api, { teamId, project, memberId }: Place, { folderId, songId }: FilledFiles) {
  const comment = await may("POST", `/api/v2/files/${songId}/comments`, { body: "Bass is hot", position_ms: 100, end_ms: 200 });
  if (comment) {
    await must("POST", `/api/v2/files/${songId}/comments`, { body: "Agreed", parent_comment_id: comment.id });
    await must("POST", `/api/v2/comments/${comment.id}/show-in-chat`, {});
    await must("PATCH", `/api/v2/comments/${comment.id}`, { resolved: true });
  }
  const tasks = await may("POST", "/v1/tasks/create", { file_id: folderId, tasks: [{ title: "Master it" }, { title: "Book the hall" }] });
  if (tasks) {
    await must("PATCH", `/api/v2/tasks/${tasks[0].id}`, { assignee_account_id: memberId, due_date: "2027-01-31" });
    await must("PATCH", `/api/v2/tasks/${tasks[1].id}`, { closed: true });
    await must("POST", "/api/v2/task-templates", { team_id: teamId, name: "Release", tasks: [{ title: "Artwork" }] });
  }
  const playlist = await may("POST", "/api/v2/playlists", { project_id: project.id, name: "For the label", items: [{ file_id: songId }] });
  await may("PUT", `/api/v2/favorites/file/${songId}`);
  await may("PUT", `/api/v2/recent-items/file/${songId}`, { action: "played" });
  const template = await may("POST", `/api/v2/teams/${teamId}/metadata-templates`, { name: "Release", fields: [{ name: "Mood", type: "text" }] });
  if (template) await must("PATCH", `/api/v2/files/${songId}/metadata`, { values: { [template.fields[0].id]: "Dark" } });
  return {
    comments: comment && { fileId: songId, bodies: ["Bass is hot", "Agreed"] },
    taskTitles: tasks && ["Master it", "Book the hall"],
    playlistNames: playlist && ["For the label"],
  };
}

/** Creates settings, delivery rules, an agent with its task and subscription, and an app. */
async function fillSettings({ must, may }: Api, { teamId, project, otherProjectId }: Place, receiverBase: string): Promise<void> {
  await may("PATCH", "/api/v2/account", { user_info: "Mixes at night" });
  await may("PATCH", "/api/v2/notification-settings", { do_not_disturb: { start: "22:00", end: "07:00" } });
  await may("PATCH", `/api/v2/projects/${otherProjectId}/notification-settings`, { muted: true });
  const noRules = { loudness: null, true_peak_max: null, bit_depths: [], channels: [], formats: [], name_pattern: null };
  await may("PUT", `/api/v2/teams/${teamId}/delivery-rules`, { ...noRules, sample_rates: [48_000] });
  const scopes = ["chat:read", "chat:write", "files:read"];
  const agent = await may("POST", "/api/v2/agents", { username: "Helper", role: "member", scopes, project_ids: [project.id] });
  if (agent) {
    await must("POST", `/api/v2/agents/${agent.id}/tokens`, { name: "helper", scopes: ["chat:read"] });
    const steps = [{ type: "post_message", text: "{file} has arrived" }];
    const task = { project_id: project.id, action: "rule", name: "Announce", trigger: { type: "manual" }, steps, result: "message" };
    await may("POST", `/api/v2/agents/${agent.id}/tasks`, task);
    const subscription = { event_types: ["message.created"], project_ids: [project.id], url: `${receiverBase}/hook` };
    await may("POST", `/api/v2/agents/${agent.id}/event-subscriptions`, subscription);
  }
  const app = { redirect_uris: ["https://app.test/callback"], client_name: "Cutlist", grant_types: ["authorization_code", "refresh_token"] };
  await may("POST", "/api/v2/oauth/register", app);
  await may("PATCH", `/api/v2/projects/${otherProjectId}`, { archived: true });
}

/** Returns the number of deliveries once none is pending, or once there is one if the receiver fails. */
async function awaitDeliveries({ must }: Api, endpointId: number, isFailing: boolean): Promise<number> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(50)) {
    const deliveries = (await must("GET", `/api/v2/webhook-endpoints/${endpointId}/deliveries`)) as { state: string }[];
    if (deliveries.length > 0 && (isFailing || deliveries.every(({ state }) => state !== "pending"))) return deliveries.length;
    if (Date.now() > deadline) throw new Error("The deliveries do not end");
  }
}

/**
 * `base`: address of a new service. `setupToken`: of its setup link. `receiverBase`: where webhooks go; `/failing` there must fail. Returns what it wrote, the
 * operations that the version accepted, and those that it does not have.
 */
export async function fill(base: string, setupToken: string, receiverBase: string): Promise<{ content: FixtureContent; requests: string[]; absent: string[] }> {
  const api = await openApi(base, setupToken);
  const place = await fillOrganization(api);
  const hook = { url: `${receiverBase}/hook`, event_types: ["file.uploaded", "file.renamed", "task.closed"], description: "Notify the label" };
  const endpoint = await api.may("POST", "/api/v2/webhook-endpoints", hook);
  const failing = endpoint && (await api.must("POST", "/api/v2/webhook-endpoints", { url: `${receiverBase}/failing`, event_types: ["file.renamed"] }));
  const files = await fillFiles(api, place);
  const messages = await fillChat(api, place, files);
  const song = files ? await fillSong(api, place, files) : { comments: null, taskTitles: null, playlistNames: null };
  await fillSettings(api, place, receiverBase);
  if (failing) await awaitDeliveries(api, failing.id, true);
  const webhook = endpoint && { id: endpoint.id, deliveries: await awaitDeliveries(api, endpoint.id, false) };
  const known = { login: OWNER.username, password: OWNER.password, token: place.token, projectId: place.project.id };
  return {
    content: { ...known, messages, originals: files?.originals ?? [], ...song, webhook },
    requests: [...api.requests].toSorted(),
    absent: api.absent,
  };
}
