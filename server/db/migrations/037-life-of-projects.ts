/** Adds colors, the archive and the deletion of projects, and who created a group. */
import { optionalReference, type Migration } from "./migration.ts";

export const lifeOfProjects: Migration = {
  name: "037-life-of-projects",
  async up(tx) {
    await tx.schema.alterTable("projects").addColumn("color", "integer").execute();
    await tx.schema.alterTable("projects").addColumn("archived_at", "bigint").execute();
    await tx.schema.alterTable("projects").addColumn("deleted_at", "bigint").execute();
    await tx.schema.alterTable("projects").addColumn("deleted_by", "bigint", optionalReference("accounts.id")).execute();
    await tx.schema.createIndex("projects_deleted").on("projects").column("deleted_at").where("deleted_at", "is not", null).execute();
    await tx.schema.alterTable("project_groups").addColumn("color", "integer").execute();
    await tx.schema.alterTable("project_groups").addColumn("created_by", "bigint", optionalReference("accounts.id")).execute();
  },
};
