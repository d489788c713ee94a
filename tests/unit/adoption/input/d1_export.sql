PRAGMA defer_foreign_keys=TRUE;
CREATE TABLE d1_migrations(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);
INSERT INTO "d1_migrations" VALUES(1,'0000_closed_arachne.sql','2026-11-23 03:01:58');
INSERT INTO "d1_migrations" VALUES(2,'0001_soft_boomerang.sql','2026-11-23 03:01:59');
CREATE TABLE `labels` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`organization_id` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`modified_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`deleted_at` text,
	`created_by` text,
	`modified_by` text,
	`deleted_by` text
);
CREATE TABLE `projects` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`status` text DEFAULT 'draft' NOT NULL,
	`budget` integer,
	`is_public` integer DEFAULT false NOT NULL,
	`organization_id` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`modified_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`deleted_at` text,
	`created_by` text,
	`modified_by` text,
	`deleted_by` text
);
INSERT INTO "projects" VALUES('prj_1','It''s old','draft',NULL,0,'org_1','2024-05-01T10:00:00.000Z','2026-11-23T03:02:07.098Z',NULL,NULL,NULL,NULL);
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`title` text(200) NOT NULL,
	`code` text NOT NULL,
	`done` integer DEFAULT false NOT NULL,
	`organization_id` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`modified_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`deleted_at` text,
	`created_by` text,
	`modified_by` text,
	`deleted_by` text,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO "tasks" VALUES('tsk_1','prj_1','First','A',0,'org_1','2026-11-23T03:02:07.098Z','2026-11-23T03:02:07.098Z',NULL,NULL,NULL,NULL);
CREATE TABLE `custom_view` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`modified_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`deleted_at` text,
	`created_by` text,
	`modified_by` text,
	`deleted_by` text
);
CREATE TABLE `timeEntries` (
	`id` text PRIMARY KEY NOT NULL,
	`task_id` text NOT NULL,
	`minutes` integer NOT NULL,
	`note` text,
	`organization_id` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`modified_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`deleted_at` text,
	`created_by` text,
	`modified_by` text,
	`deleted_by` text,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`id`) ON UPDATE no action ON DELETE cascade
);
DELETE FROM sqlite_sequence;
INSERT INTO "sqlite_sequence" VALUES('d1_migrations',2);
CREATE INDEX `projects_status_idx` ON `projects` (`status`);
CREATE INDEX `projects_organization_id_deleted_at_idx` ON `projects` (`organization_id`,`deleted_at`);
CREATE UNIQUE INDEX `tasks_code_unique` ON `tasks` (`code`);
CREATE INDEX `tasks_project_id_idx` ON `tasks` (`project_id`);
CREATE INDEX `timeEntries_task_id_idx` ON `timeEntries` (`task_id`);