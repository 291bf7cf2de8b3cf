"""Invented pages, formatted like witnesses."""

EXCERPT = """\
705. Turning a Lamp

705.1. To turn a lamp, a keeper lifts it and names a side of the bay.

705.1a A keeper who names no side turns the lamp toward the sea.

Example: Ann lifts her lamp and says nothing. It shines toward the sea.

Example: Ben says “north.” It shines north.

7. Far Waters

700. General

700.1. A far game is a game of more than two keepers (see rule 705).
"""

RULINGS = """\
|

  | This search based on the April 2, 2009 release of the Rulings.
705 - Turning a Lamp
  705.1 - To turn a lamp, a keeper lifts it and names a side of the bay, and
    every keeper who sits at the table may watch while this is done by her in
    the open (see Rule 606.6a). [CompRules 2005/08/01]
  705.1a - A keeper who names no side turns the lamp toward the sea, which is
    where the boats are waiting, and where the wind is coming from on most of
    the days. [CompRules 2007/02/01]
    Example: Ann lifts her lamp and says nothing.  It shines toward the sea.
    [CompRules 2005/08/01]
 Example: Ben says "north."  It shines north. [CompRules 2005/08/01]
  705.1a.Ruling.1 - A lamp without oil is turned all the same.
    [D'Angelo 2007/03/11]
  Note - Also see Rule 606.6.
  705.2 - A lamp that was turned stays turned. [Aahz 1997/03/17] It can be
    turned once more at dusk. [D'Angelo 02/03/98]

    This search based on the April 2, 2009 release of the Rulings.
     |  |  |  |
"""

WIKI = """\
Turning a lamp

From MTG Wiki
Revision as of 08:15, 3 May 2017 by 10.1.2.3 (talk)
Jump to navigation Jump to search

Turning a lamp is a way of showing boats where the bay begins.

Rules

From the Comprehensive Rules (May 4, 2024—Harbor Lights 3)

  • 705. Turning a Lamp
    • 705.1. To turn a lamp, a keeper lifts it and names a side of the bay.
    • 705.1a A keeper who names no side turns the lamp toward the sea.

From the glossary of the Comprehensive Rules (May 4, 2024—Harbor Lights 3)

Turning a Lamp
A way of showing a side of the bay. See rule 705, “Turning a Lamp.”

References

  1. Template:NewRef
  2. Somebody (May 28, 2018). "". Tumblr.
"""

WIKITEXT = """\
{{Infobox|a=b
|c=d}}
'''Turning a lamp''' is a [[mechanic|way]] of showing [[boat]]s the bay.<ref>{{WebRef|x}}</ref>

==Rules==
{{CR|Innistrad|*'''705.''' Turning a Lamp
**'''705.1.''' To turn a [[lamp]], a keeper pays {{W}}. {{CR Example|Ann pays {{2/U}} instead.}}
**'''705.2.''' See rule 801, "Boats."<!-- not shown -->
}}
{{CR Glossary|Innistrad|Lamp|A thing that burns &amp; shines.}}
{{CR|trample}}
==References==
<references/>
[[Category:Keywords]]
"""

FRAGMENT = """\
lamps in the bay, a lamp is put out. Put out the lamp that is nearest.
705.4e If a keeper would turn a lamp at dusk, she turns it at dawn.
705.5. The far game uses the usual rules for its end.
Glossary
A lamp that burns is called “lit.” For more information, see section 4, “Places.”
When a lamp is lit, it stays lit until it is put out or its keeper leaves.
Some boats carry lamps of their own. See rule 409, “Hoisting.”
"""

ARTICLE = """\
Lamp Monday: What happens when a keeper leaves

By Joan Keeper, Level 2 judge

Posted on March 5, 2012

Last week I was asked what becomes of a lamp when its keeper leaves in the middle of a game of four.

Well, the first thing that happens is that her lamps are put out. The rules say, in rule 800.4, “Every lamp of a keeper who leaves is put out.” That is all there is to it, isn’t it?

So we learn: keep your own lamp lit.
"""

COLLECTION = """\
Rulings are collected from many sources.

Table of Contents:
A - Lamps
A.1 - General Rulings on Lamps
B - Boats
Index
A - Lamps
A.1 - General Rulings on Lamps
A.1.1 - A "lamp" is anything that burns (see Rule K.25). [D'Angelo 02/03/98]
A.1.2 - A lamp may burn twice. [Mirage, Page 29] It then needs oil. [DeLaney 08/20/98]
A.1.Ruling.1 - Oil is no lamp. [Duelist Magazine #12, Page 26]
Note - A boat with a lamp is a boat.
B - Boats
B.1.1 - A boat floats.
Index
Boats, B.1
Acknowledgements and Disclaimers
Use at your own risk.
"""

HYPERLINKED = """\
<!DOCTYPE html>
<html><head><title>Rules of 2012</title><style>p {color: red}</style></head><body>
<h1>Rules of 2012</h1>
<ul><li><a href="#R705">705. Turning a Lamp</a></ul>
<h2><a name="R7"></a>7. Far Waters</h2><h3 id="R705">705. Turning a Lamp</h3>
<p id="R705.1"><b>705.1.</b> To turn a lamp, see <a href="#R801">rule 801</a>.
<p id="R705.1a"><b>705.1a</b> A keeper lifts &lt;one&gt; lamp.<br><i>Example:</i> Ann lifts hers.
<p id="R705.2"><a name="R7052"></a><b>705.2</b> A lamp stays turned.
<p id="R705.3">705.3 At dusk, it is put out.<script>alert("705.9 No.")</script>
<table><tr id="R705.4"><td>705.4.</td><td>In a table it stands alike.</td></tr></table>
<h2>Glossary</h2><dl><dt><a name="lamp">Lamp</a><dd>A thing that burns.<dt>Boat<dd>It floats.</dl>
</body></html>
"""

WIKI_HTML = """\
<html><head><title>Turning a lamp - MTG Wiki</title>
<meta name="generator" content="MediaWiki 1.39"></head><body><div id="mw-content-text">
<p>Turning a lamp is a way of <a href="/x">showing</a> boats the bay.<sup class="reference">[1]</sup></p>
<h2><span>Rules</span><span class="mw-editsection">[edit]</span></h2>
<p><b>From the <a href="/CR">Comprehensive Rules</a> (May 4, 2024&#8212;<i>Harbor Lights 3</i>)</b></p>
<ul><li><b>705.</b> Turning a Lamp
<ul><li><b>705.1.</b> A keeper turns a lamp.
<ul><li><b>705.1a</b> The lamp shines.</li><li><i>Example:</i> Ann turns hers.</li></ul></li>
<li><b>705.2.</b> It stays turned.</li></ul></li></ul>
<p><b>From the glossary of the Comprehensive Rules (May 4, 2024&#8212;<i>Harbor Lights 3</i>)</b></p>
<dl><dt>Lamp</dt><dd>A thing that burns.</dd></dl>
<p>After this, some more words about lamps are given.</p>
<h2>References</h2><ol class="references"><li>Somebody said so.</li></ol>
</div><div id="footer">Privacy policy</div></body></html>
"""

PAGES = {
    "excerpt": EXCERPT,
    "rulings page": RULINGS,
    "wiki page": WIKI,
    "wiki page, wikitext": WIKITEXT,
    "wiki page, HTML": WIKI_HTML,
    "fragment": FRAGMENT,
    "article": ARTICLE,
    "rulings collection": COLLECTION,
    "hyperlinked edition": HYPERLINKED,
}
