--
-- PostgreSQL database dump
--
SET statement_timeout = 0;
CREATE TYPE public.invoice_status AS ENUM ('draft', 'open', 'it''s paid');
CREATE FUNCTION public.touch() RETURNS trigger LANGUAGE plpgsql AS $$ begin new.updated_at = now(); return new; end; $$;
CREATE TABLE public.users (id uuid PRIMARY KEY, email text NOT NULL);
CREATE TABLE public.workspaces (id uuid PRIMARY KEY, name text);
CREATE TABLE public.invoices (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    workspace_id uuid NOT NULL,
    number integer NOT NULL,
    total numeric(10,2) DEFAULT 0.00 NOT NULL,
    status public.invoice_status DEFAULT 'draft'::public.invoice_status NOT NULL,
    tags text[], data jsonb DEFAULT '{}'::jsonb, created_at timestamp with time zone DEFAULT now(),
    customer_id uuid, due date, sent_at timestamp with time zone DEFAULT now(), paid boolean DEFAULT false NOT NULL,
    email character varying(255), parent_id uuid, owner_id uuid REFERENCES public.users(id)
);
CREATE TABLE public.customers (id uuid NOT NULL, org_id uuid, name text DEFAULT 'x'::text NOT NULL, email text UNIQUE);
CREATE TABLE public.line_items (invoice_id uuid NOT NULL, pos int NOT NULL, weight double precision, PRIMARY KEY (invoice_id, pos));
COPY public.customers (id, org_id, name) FROM stdin;
1	it's; (	x
\.
ALTER TABLE ONLY public.invoices ADD CONSTRAINT invoices_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.customers ADD CONSTRAINT c_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.invoices ADD CONSTRAINT fk1 FOREIGN KEY (customer_id) REFERENCES public.customers(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invoices ADD CONSTRAINT fk2 FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);
ALTER TABLE ONLY public.invoices ADD CONSTRAINT fk3 FOREIGN KEY (parent_id) REFERENCES public.invoices(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.line_items ADD CONSTRAINT fk4 FOREIGN KEY (invoice_id) REFERENCES public.invoices(id) ON DELETE CASCADE;
CREATE UNIQUE INDEX a ON public.invoices USING btree (workspace_id, number);
ALTER TABLE public.invoices ENABLE ROW LEVEL SECURITY;
