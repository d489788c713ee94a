CREATE TABLE `audit_events` (
  `id` text PRIMARY KEY NOT NULL,
  `request_id` text,
  `actor_user_id` text,
  `actor_org_id` text,
  `action_name` text,
  `resource` text,
  `operation` text,
  `target_scope` text,
  `target_org_id` text,
  `target_record_id` text,
  `unsafe_reason` text,
  `result` text NOT NULL,
  `error_code` text,
  `created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `auth_account` (
  `id` text PRIMARY KEY NOT NULL,
  `account_id` text NOT NULL,
  `provider_id` text NOT NULL,
  `user_id` text NOT NULL,
  `access_token` text,
  `refresh_token` text,
  `id_token` text,
  `access_token_expires_at` text,
  `refresh_token_expires_at` text,
  `scope` text,
  `password` text,
  `created_at` text NOT NULL,
  `updated_at` text NOT NULL,
  FOREIGN KEY (`user_id`) REFERENCES `auth_user`(`id`) ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `auth_apikey` (
  `id` text PRIMARY KEY NOT NULL,
  `config_id` text NOT NULL,
  `name` text,
  `start` text,
  `reference_id` text NOT NULL,
  `prefix` text,
  `key` text NOT NULL,
  `refill_interval` integer,
  `refill_amount` integer,
  `last_refill_at` text,
  `enabled` integer,
  `rate_limit_enabled` integer,
  `rate_limit_time_window` integer,
  `rate_limit_max` integer,
  `request_count` integer,
  `remaining` integer,
  `last_request` text,
  `expires_at` text,
  `created_at` text NOT NULL,
  `updated_at` text NOT NULL,
  `permissions` text,
  `metadata` text,
  `after_proof` integer,
  `platform_role` integer
);
--> statement-breakpoint
CREATE TABLE `auth_invitation` (
  `id` text PRIMARY KEY NOT NULL,
  `organization_id` text NOT NULL,
  `email` text NOT NULL,
  `role` text,
  `team_id` text,
  `status` text NOT NULL,
  `expires_at` text NOT NULL,
  `created_at` text NOT NULL,
  `inviter_id` text NOT NULL,
  FOREIGN KEY (`organization_id`) REFERENCES `auth_organization`(`id`) ON DELETE cascade,
  FOREIGN KEY (`inviter_id`) REFERENCES `auth_user`(`id`) ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `auth_member` (
  `id` text PRIMARY KEY NOT NULL,
  `organization_id` text NOT NULL,
  `user_id` text NOT NULL,
  `role` text NOT NULL,
  `created_at` text NOT NULL,
  FOREIGN KEY (`organization_id`) REFERENCES `auth_organization`(`id`) ON DELETE cascade,
  FOREIGN KEY (`user_id`) REFERENCES `auth_user`(`id`) ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `auth_organization` (
  `id` text PRIMARY KEY NOT NULL,
  `name` text NOT NULL,
  `slug` text NOT NULL,
  `logo` text,
  `created_at` text NOT NULL,
  `metadata` text
);
--> statement-breakpoint
CREATE TABLE `auth_session` (
  `id` text PRIMARY KEY NOT NULL,
  `expires_at` text NOT NULL,
  `token` text NOT NULL,
  `created_at` text NOT NULL,
  `updated_at` text NOT NULL,
  `ip_address` text,
  `user_agent` text,
  `user_id` text NOT NULL,
  `active_organization_id` text,
  `active_team_id` text,
  `impersonated_by` text,
  `after_proof` integer,
  `second_factor` integer,
  FOREIGN KEY (`user_id`) REFERENCES `auth_user`(`id`) ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `auth_team` (
  `id` text PRIMARY KEY NOT NULL,
  `name` text NOT NULL,
  `member_count` integer NOT NULL,
  `organization_id` text NOT NULL,
  `created_at` text NOT NULL,
  `updated_at` text,
  FOREIGN KEY (`organization_id`) REFERENCES `auth_organization`(`id`) ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `auth_team_member` (
  `id` text PRIMARY KEY NOT NULL,
  `team_id` text NOT NULL,
  `user_id` text NOT NULL,
  `membership_key` text,
  `created_at` text,
  FOREIGN KEY (`team_id`) REFERENCES `auth_team`(`id`) ON DELETE cascade,
  FOREIGN KEY (`user_id`) REFERENCES `auth_user`(`id`) ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `auth_token_cutoff` (
  `id` text PRIMARY KEY NOT NULL,
  `not_before` integer NOT NULL,
  `sequence` integer NOT NULL,
  `expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `auth_user` (
  `id` text PRIMARY KEY NOT NULL,
  `name` text NOT NULL,
  `email` text NOT NULL,
  `email_verified` integer NOT NULL,
  `image` text,
  `created_at` text NOT NULL,
  `updated_at` text NOT NULL,
  `role` text,
  `banned` integer,
  `ban_reason` text,
  `ban_expires` text
);
--> statement-breakpoint
CREATE TABLE `auth_verification` (
  `id` text PRIMARY KEY NOT NULL,
  `identifier` text NOT NULL,
  `value` text NOT NULL,
  `expires_at` text NOT NULL,
  `created_at` text NOT NULL,
  `updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
  `id` text PRIMARY KEY NOT NULL,
  `fingerprint` text NOT NULL,
  `principal` text NOT NULL,
  `organization_id` text,
  `status` integer NOT NULL,
  `code` text,
  `headers` text NOT NULL,
  `body` text NOT NULL,
  `expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notebooks` (
  `id` text PRIMARY KEY NOT NULL,
  `organization_id` text NOT NULL,
  `title` text NOT NULL,
  `is_archived` integer NOT NULL DEFAULT 0,
  `cover_url` text,
  `created_at` text NOT NULL,
  `created_by` text,
  `modified_at` text,
  `modified_by` text,
  `deleted_at` text,
  `deleted_by` text
);
--> statement-breakpoint
CREATE TABLE `notes` (
  `id` text PRIMARY KEY NOT NULL,
  `organization_id` text NOT NULL,
  `owner_id` text NOT NULL,
  `notebook_id` text NOT NULL,
  `body` text NOT NULL DEFAULT 'It''s "quoted", `ticked` and */ closed',
  `mood` text,
  `rating` integer,
  `meta` text,
  `written_at` text NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  `revision` integer NOT NULL DEFAULT 1,
  `created_at` text NOT NULL,
  `created_by` text,
  `modified_at` text,
  `modified_by` text,
  FOREIGN KEY (`notebook_id`) REFERENCES `notebooks`(`id`) ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `organization_purges` (
  `id` text PRIMARY KEY NOT NULL,
  `organization_id` text NOT NULL,
  `status` text NOT NULL,
  `created_at` text NOT NULL,
  `finished_at` text
);
--> statement-breakpoint
CREATE TABLE `qb_security_events` (
  `id` text PRIMARY KEY NOT NULL,
  `user_id` text,
  `kind` text NOT NULL,
  `address` text,
  `device` text,
  `details` text NOT NULL,
  `noticed` integer NOT NULL,
  `created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_events_target_org_id_created_at_idx` ON `audit_events` (`target_org_id`, `created_at`);
--> statement-breakpoint
CREATE INDEX `auth_account_account_id_idx` ON `auth_account` (`account_id`);
--> statement-breakpoint
CREATE INDEX `auth_account_user_id_idx` ON `auth_account` (`user_id`);
--> statement-breakpoint
CREATE INDEX `auth_apikey_config_id_idx` ON `auth_apikey` (`config_id`);
--> statement-breakpoint
CREATE INDEX `auth_apikey_expires_at_idx` ON `auth_apikey` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `auth_apikey_key_idx` ON `auth_apikey` (`key`);
--> statement-breakpoint
CREATE INDEX `auth_apikey_reference_id_idx` ON `auth_apikey` (`reference_id`);
--> statement-breakpoint
CREATE INDEX `auth_invitation_email_idx` ON `auth_invitation` (`email`);
--> statement-breakpoint
CREATE INDEX `auth_invitation_inviter_id_idx` ON `auth_invitation` (`inviter_id`);
--> statement-breakpoint
CREATE INDEX `auth_invitation_organization_id_idx` ON `auth_invitation` (`organization_id`);
--> statement-breakpoint
CREATE INDEX `auth_member_organization_id_idx` ON `auth_member` (`organization_id`);
--> statement-breakpoint
CREATE INDEX `auth_member_user_id_idx` ON `auth_member` (`user_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_organization_slug_unique` ON `auth_organization` (`slug`);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_session_token_unique` ON `auth_session` (`token`);
--> statement-breakpoint
CREATE INDEX `auth_session_user_id_idx` ON `auth_session` (`user_id`);
--> statement-breakpoint
CREATE INDEX `auth_team_organization_id_idx` ON `auth_team` (`organization_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_team_member_membership_key_unique` ON `auth_team_member` (`membership_key`);
--> statement-breakpoint
CREATE INDEX `auth_team_member_team_id_idx` ON `auth_team_member` (`team_id`);
--> statement-breakpoint
CREATE INDEX `auth_team_member_user_id_idx` ON `auth_team_member` (`user_id`);
--> statement-breakpoint
CREATE INDEX `auth_token_cutoff_expires_at_idx` ON `auth_token_cutoff` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `auth_token_cutoff_sequence_idx` ON `auth_token_cutoff` (`sequence`);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_user_email_unique` ON `auth_user` (`email`);
--> statement-breakpoint
CREATE INDEX `auth_verification_expires_at_idx` ON `auth_verification` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `auth_verification_identifier_idx` ON `auth_verification` (`identifier`);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expires_at_idx` ON `idempotency_keys` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `notebooks_organization_id_deleted_at_created_at_id_idx` ON `notebooks` (`organization_id`, `deleted_at`, `created_at`, `id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `notebooks_organization_id_title_unique` ON `notebooks` (`organization_id`, `title`) WHERE `deleted_at` IS NULL;
--> statement-breakpoint
CREATE INDEX `notes_notebook_id_organization_id_created_at_id_idx` ON `notes` (`notebook_id`, `organization_id`, `created_at`, `id`);
--> statement-breakpoint
CREATE INDEX `notes_organization_id_created_at_id_idx` ON `notes` (`organization_id`, `created_at`, `id`);
--> statement-breakpoint
CREATE INDEX `notes_organization_id_written_at_id_idx` ON `notes` (`organization_id`, `written_at`, `id`);
--> statement-breakpoint
CREATE INDEX `notes_owner_id_created_at_id_idx` ON `notes` (`owner_id`, `created_at`, `id`);
--> statement-breakpoint
CREATE INDEX `organization_purges_created_at_idx` ON `organization_purges` (`created_at`);
--> statement-breakpoint
CREATE INDEX `organization_purges_running_idx` ON `organization_purges` (`created_at`) WHERE "status" = 'running';
--> statement-breakpoint
CREATE INDEX `qb_security_events_created_at_idx` ON `qb_security_events` (`created_at`);
--> statement-breakpoint
CREATE INDEX `qb_security_events_failures_idx` ON `qb_security_events` (`user_id`, `created_at`) WHERE "kind" = 'sign-in-failed';
--> statement-breakpoint
CREATE INDEX `qb_security_events_user_id_created_at_idx` ON `qb_security_events` (`user_id`, `created_at`);
