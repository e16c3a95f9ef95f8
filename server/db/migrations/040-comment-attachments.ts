/** Creates the mentions and the attached files of comments. */
import { type Migration, notNull, requiredReference } from "./migration.ts";

export const commentAttachments: Migration = {
  name: "040-comment-attachments",
  async up(tx) {
    await tx.schema
      .createTable("comment_mentions")
      .addColumn("comment_id", "bigint", requiredReference("comments.id"))
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addPrimaryKeyConstraint("comment_mentions_key", ["comment_id", "account_id"])
      .execute();
    await tx.schema
      .createTable("comment_attachments")
      .addColumn("comment_id", "bigint", requiredReference("comments.id"))
      .addColumn("position", "integer", notNull)
      .addColumn("file_id", "bigint", requiredReference("files.id"))
      .addColumn("version_id", "bigint", requiredReference("file_versions.id"))
      .addPrimaryKeyConstraint("comment_attachments_key", ["comment_id", "position"])
      .execute();
    await tx.schema.createIndex("comment_attachments_file").on("comment_attachments").column("file_id").execute();
  },
};
