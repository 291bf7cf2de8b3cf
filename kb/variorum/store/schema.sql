-- rows.py says what each column means. Every change of a statement raises `LAYOUT` in files.py.
PRAGMA page_size = 8192; PRAGMA application_id = 1987211885; -- "vrrm"
CREATE TABLE meta (
  name TEXT PRIMARY KEY, -- layout, program, and the parts of it that files.py names
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE edition (
  id INTEGER PRIMARY KEY, -- from 0, in order of date and issue
  effective TEXT NOT NULL,
  sha256 TEXT NOT NULL UNIQUE,
  layout TEXT NOT NULL,
  encoding TEXT NOT NULL,
  crlf INTEGER NOT NULL,
  cr INTEGER NOT NULL,
  lf INTEGER NOT NULL,
  sections INTEGER NOT NULL,
  rules INTEGER NOT NULL,
  examples INTEGER NOT NULL,
  glossary INTEGER NOT NULL,
  irregularities INTEGER NOT NULL,
  condition TEXT NOT NULL,
  issue INTEGER NOT NULL,
  set_code TEXT NOT NULL, -- "" where unknown
  set_name TEXT NOT NULL,
  attested TEXT NOT NULL, -- facts, agreement or person; "" where one source is all there is
  doubts TEXT NOT NULL, -- lines that every answer from it says
  label TEXT NOT NULL, -- the date, with the issue where the date has several
  is_chosen INTEGER NOT NULL, -- the issue that a bare date means
  introduction TEXT NOT NULL, -- JSON
  index_lines TEXT NOT NULL, -- JSON
  credits TEXT NOT NULL, -- JSON
  ledger TEXT NOT NULL, -- JSON
  states BLOB NOT NULL, -- ids of provisions in printed order, four bytes each, little end first
  UNIQUE (effective, issue)
);

-- Distinct words.
CREATE TABLE reading (
  id INTEGER PRIMARY KEY,
  body TEXT NOT NULL
);

-- Distinct states of provisions.
CREATE TABLE provision (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  number TEXT NOT NULL,
  address TEXT NOT NULL,
  heading TEXT NOT NULL,
  reading INTEGER NOT NULL REFERENCES reading (id),
  parent TEXT NOT NULL,
  meant TEXT NOT NULL,
  irregularities TEXT NOT NULL
);

-- The editions in which a state holds, first to last; it may disappear and return.
CREATE TABLE span (
  provision INTEGER NOT NULL REFERENCES provision (id),
  first INTEGER NOT NULL REFERENCES edition (id),
  last INTEGER NOT NULL REFERENCES edition (id),
  PRIMARY KEY (provision, first)
) WITHOUT ROWID;

-- By what provisions are looked up: numbers, headwords.
CREATE TABLE lookup (
  word TEXT NOT NULL,
  provision INTEGER NOT NULL REFERENCES provision (id),
  PRIMARY KEY (word, provision)
) WITHOUT ROWID;

-- Printed citations, and all numbers that each may name (of a range those that may stand in it).
CREATE TABLE citation (
  provision INTEGER NOT NULL REFERENCES provision (id),
  place INTEGER NOT NULL, -- from 0, as printed
  part TEXT NOT NULL, -- text (with its examples) or heading
  start INTEGER NOT NULL, -- in code points, see rows.full_text
  stop INTEGER NOT NULL,
  title TEXT NOT NULL, -- printed behind the number, "" without one
  PRIMARY KEY (provision, place)
) WITHOUT ROWID;

CREATE TABLE cited (
  provision INTEGER NOT NULL REFERENCES provision (id),
  place INTEGER NOT NULL,
  rank INTEGER NOT NULL, -- from 0 within the citation
  word TEXT NOT NULL,
  PRIMARY KEY (provision, place, rank)
) WITHOUT ROWID;

-- Where provisions went from one edition to the next: a row for each heir, for what is gone and for
-- what is new. A state that both editions have was kept if it has no row here; it has one if something
-- else became part of it.
CREATE TABLE link (
  edition INTEGER NOT NULL REFERENCES edition (id), -- into which it leads
  old INTEGER REFERENCES provision (id), -- NULL: it is new
  new INTEGER REFERENCES provision (id), -- NULL: it is gone
  rank INTEGER NOT NULL, -- from 0 among the heirs of old, the main one first
  kinds INTEGER NOT NULL, -- bits, see rows.py
  class INTEGER NOT NULL, -- of the change of words, see rows.py
  confidence REAL NOT NULL,
  evidence INTEGER NOT NULL REFERENCES evidence (id)
);

CREATE TABLE evidence (
  id INTEGER PRIMARY KEY,
  readings TEXT NOT NULL, -- of a step that was read, how often it was; else ""
  verdict TEXT NOT NULL, -- why readers decided so, in our words
  reasons TEXT NOT NULL -- lines
);

-- What is wrong in editions; what is found in one rests on it and on those before it.
CREATE TABLE finding (
  id INTEGER PRIMARY KEY,
  body TEXT NOT NULL -- JSON, see answers/lint.py
);

CREATE TABLE found (
  edition INTEGER NOT NULL REFERENCES edition (id),
  place INTEGER NOT NULL, -- from 0, as shown
  finding INTEGER NOT NULL REFERENCES finding (id),
  PRIMARY KEY (edition, place)
) WITHOUT ROWID;

-- The citations that lead astray in the last edition: a build that adds later ones goes on from here.
CREATE TABLE stale (
  provision INTEGER NOT NULL REFERENCES provision (id),
  place INTEGER NOT NULL,
  number TEXT NOT NULL,
  target INTEGER NOT NULL REFERENCES provision (id),
  since INTEGER NOT NULL REFERENCES edition (id),
  is_alike INTEGER NOT NULL
);

-- Documents other than editions: pages that quote rules, bulletins, articles, copies, originals.
CREATE TABLE witness (
  sha256 TEXT PRIMARY KEY,
  body TEXT NOT NULL -- JSON, see docs/json.md
) WITHOUT ROWID;

-- Passages of witnesses. An original has a row for each provision in which it differs from its edition, and
-- attests all the others.
CREATE TABLE passage (
  witness TEXT NOT NULL REFERENCES witness (sha256),
  place INTEGER NOT NULL, -- from 0
  provision INTEGER REFERENCES provision (id), -- what it quotes or discusses; the new state of an announced step
  former INTEGER REFERENCES provision (id), -- the old state of an announced step
  edition INTEGER REFERENCES edition (id), -- one that has the provision; of an announcement, the one that made the step
  body TEXT NOT NULL, -- JSON, see docs/json.md
  PRIMARY KEY (witness, place)
) WITHOUT ROWID;

CREATE INDEX passage_provision ON passage (provision);
CREATE INDEX passage_former ON passage (former);
CREATE INDEX link_old ON link (old, edition);
CREATE INDEX link_new ON link (new, edition);
CREATE INDEX link_edition ON link (edition);

CREATE INDEX cited_word ON cited (word);
CREATE INDEX provision_parent ON provision (parent);
