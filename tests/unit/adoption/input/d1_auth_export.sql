PRAGMA defer_foreign_keys=TRUE;
CREATE TABLE `user` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_verified` integer DEFAULT false NOT NULL,
	`image` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsecond') * 1000 as integer)) NOT NULL,
	`updated_at` integer DEFAULT (cast(unixepoch('subsecond') * 1000 as integer)) NOT NULL,
	`role` text,
	`banned` integer DEFAULT false,
	`ban_reason` text,
	`ban_expires` integer
);
INSERT INTO "user" VALUES('usr_ann','Ann','ann@example.com',1,NULL,1714557600000,1714557600123,NULL,0,NULL,NULL);
CREATE TABLE `account` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`user_id` text NOT NULL,
	`access_token` text,
	`refresh_token` text,
	`id_token` text,
	`access_token_expires_at` integer,
	`refresh_token_expires_at` integer,
	`scope` text,
	`password` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsecond') * 1000 as integer)) NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO "account" VALUES('acc_ann','usr_ann','credential','usr_ann',NULL,NULL,NULL,NULL,NULL,NULL,'81d09d9f0d534116af94f9c7e3bfc264:ae8ee274cf51f88b3c5b61b90eb9a5edfd4a20e83094985f6795884fd54fbca266d31cb42b7951cf470f671852048c73f9ae425946221aa0ff879eab18ff7c62',1714557600000,1714557600000);
CREATE TABLE `organization` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`logo` text,
	`created_at` integer NOT NULL,
	`metadata` text
);
INSERT INTO "organization" VALUES('org_1','Atelier','atelier',NULL,1714557600000,NULL);
CREATE TABLE `member` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text DEFAULT 'member' NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
INSERT INTO "member" VALUES('mem_ann','org_1','usr_ann','owner',1714557600000);
CREATE UNIQUE INDEX `user_email_unique` ON `user` (`email`);
CREATE INDEX `account_userId_idx` ON `account` (`user_id`);
CREATE UNIQUE INDEX `organization_slug_unique` ON `organization` (`slug`);
CREATE INDEX `member_userId_idx` ON `member` (`user_id`);
