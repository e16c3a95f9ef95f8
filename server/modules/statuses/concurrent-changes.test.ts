/** Tests concurrent review changes on PostgreSQL, the only engine with concurrent writers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as comments from "../../../contract/operations/comments.ts";
import * as files from "../../../contract/operations/files.ts";
import * as statuses from "../../../contract/operations/statuses.ts";
import type { FileStatus } from "../../../contract/records.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { holdRowLock, waitForLockWaiters } from "../../testing/row-locks.ts";

describe.runIf(ENGINES.includes("postgres"))("simultaneous review changes", { timeout: 60_000 }, () => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures("postgres")), 60_000);
  afterAll(() => fixtures.testApp.close());

  let sequence = 0;
  const uploadFile = () => upload(fixtures.testApp, fixtures.owner, { parent: fixtures.home.folder, name: `race ${++sequence}.wav` });
  const createStatus = async (): Promise<FileStatus> =>
    (
      await fixtures.testApp.call(fixtures.admin, statuses.createFileStatus, {
        params: { team_id: fixtures.home.team },
        body: { title: `Race ${++sequence}`, color: 2 },
      })
    ).response.data;
  const replaceStatus = (from: number, to: number) =>
    fixtures.testApp.call(fixtures.admin, statuses.deleteFileStatus, { params: { status_id: from }, query: { replacement_id: String(to) } });
  const setStatus = (file_id: number, status_id: number, if_status_id?: number, caller: Caller = fixtures.member) =>
    fixtures.testApp.call(caller, files.setFileStatus, { body: { file_id, status_id, ...(if_status_id === undefined ? {} : { if_status_id }) } });
  const history = async (file_id: number) =>
    (await fixtures.testApp.call(fixtures.guest, files.listStatusChanges, { params: { file_id } })).response.data.map((change) => [
      change.old_status?.id,
      change.new_status.id,
    ]);
  const setDefaultStatus = (status_id: number | null) =>
    fixtures.testApp.call(fixtures.admin, statuses.setDefaultFileStatus, { params: { team_id: fixtures.home.team }, body: { status_id } });

  it("setting a status while it is being replaced compares with the replacement and emits one event", async () => {
    // Statuses are locked in the order of their creation.
    const [from, other, to] = [await createStatus(), await createStatus(), await createStatus()];
    const [sameTarget, otherTarget, unconditional] = [await uploadFile(), await uploadFile(), await uploadFile()];
    for (const file of [sameTarget, otherTarget, unconditional]) await setStatus(file, from.id);
    const release = await holdRowLock(fixtures.testApp, "file_statuses", to.id);
    const replaced = replaceStatus(from.id, to.id);
    await waitForLockWaiters(fixtures.testApp, 1);
    // The requests after the first one wait for the project's lock. An account has at most two transactions at a time.
    const replies = [setStatus(sameTarget, to.id, from.id)];
    await waitForLockWaiters(fixtures.testApp, 2);
    replies.push(setStatus(otherTarget, other.id, from.id), setStatus(unconditional, other.id, undefined, fixtures.owner));
    await waitForLockWaiters(fixtures.testApp, 4);
    await release();
    expect((await replaced).status).toBe(200);
    const [first, second, third] = await Promise.all(replies);
    expect([first?.status, second?.status, third?.status]).toEqual([200, 409, 200]);
    expect(second?.problem["current_status"]).toMatchObject({ id: to.id });
    const initialChange = [undefined, from.id];
    const replacement = [from.id, to.id];
    expect([await history(sameTarget), await history(otherTarget), await history(unconditional)]).toEqual([
      [replacement, initialChange],
      [replacement, initialChange],
      [[to.id, other.id], replacement, initialChange],
    ]);
  });

  it("an upload during the replacement of the default status starts with the replacement", async () => {
    const [from, to] = [await createStatus(), await createStatus()];
    await setDefaultStatus(from.id);
    const release = await holdRowLock(fixtures.testApp, "file_statuses", from.id);
    const replaced = replaceStatus(from.id, to.id);
    await waitForLockWaiters(fixtures.testApp, 1);
    const uploaded = uploadFile();
    await waitForLockWaiters(fixtures.testApp, 2);
    await release();
    expect((await replaced).response.default_status_id).toBe(to.id);
    expect((await fixtures.testApp.call(fixtures.guest, files.getFileInfo, { body: { file_id: await uploaded } })).response.common.status).toEqual(to);
    await setDefaultStatus(null);
  });

  it("reading a comment while the next is deleted ends with an event without unread comments", async () => {
    const { testApp, member, guest, admin } = fixtures;
    const file = await uploadFile();
    const writeComment = async () => (await testApp.call(guest, comments.writeComment, { params: { file_id: file }, body: { body: "x" } })).response.data.id;
    const markRead = (by: Caller, last_comment_id: number) =>
      testApp.call(by, comments.markCommentsRead, { params: { file_id: file }, body: { last_comment_id } });
    const loadAccountEvents = async () =>
      (await testApp.database.read.selectFrom("events").select("data").where("topic", "=", `account:${member.id}`).orderBy("seq").execute()).map(({ data }) =>
        JSON.parse(data),
      );
    const [first, second] = [await writeComment(), await writeComment()];
    // For the admin only the second comment is unread, so its deletion publishes a read event and has to wait for the lock.
    await markRead(admin, first);
    const release = await holdRowLock(fixtures.testApp, "topics", `account:${admin.id}`);
    const removed = testApp.call(guest, comments.deleteComment, { params: { comment_id: second } });
    await waitForLockWaiters(fixtures.testApp, 1);
    const marked = markRead(member, first);
    // If it has to wait for the deletion, the deletion comes first.
    await Promise.race([marked, waitForLockWaiters(fixtures.testApp, 2).catch(() => {})]);
    await release();
    await Promise.all([removed, marked]);
    expect((await loadAccountEvents()).findLast(({ file_id }) => file_id === file)).toMatchObject({ last_read_comment_id: first, has_unread_comments: false });
  });
});
