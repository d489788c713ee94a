-- Runs once in each database, after the migration that made the table.
INSERT INTO subjects (id, code, name, created_at) VALUES
  ('subject-000', '000', 'Computer science, information', '2026-01-01T00:00:00.000Z'),
  ('subject-100', '100', 'Philosophy and psychology', '2026-01-01T00:00:00.000Z'),
  ('subject-200', '200', 'Religion', '2026-01-01T00:00:00.000Z'),
  ('subject-300', '300', 'Social sciences', '2026-01-01T00:00:00.000Z'),
  ('subject-400', '400', 'Language', '2026-01-01T00:00:00.000Z'),
  ('subject-500', '500', 'Science', '2026-01-01T00:00:00.000Z'),
  ('subject-600', '600', 'Technology', '2026-01-01T00:00:00.000Z'),
  ('subject-700', '700', 'Arts and recreation', '2026-01-01T00:00:00.000Z'),
  ('subject-800', '800', 'Literature', '2026-01-01T00:00:00.000Z'),
  ('subject-900', '900', 'History and geography', '2026-01-01T00:00:00.000Z');
