// Checks a proof of a Sabot journal, or a mark alone: written from FORMAT.md alone, on golang.org/x/mod as Debian packages it.
//
//	verify -key <journal.pub or 64 hex digits> [-witness <NAME+ID+KEY or its file>]... FILE
//	verify -key ... -each < PROOFS
//
// FILE: a proof, or a mark (a witness's checkpoint is one, too), of which it prints chain value and head.
// 0: every part is right. 1: something is not, and the line says which. 2: a key cannot be used. -each is for programs: each
// proof behind its length in four bytes, little endian; a line of answer for each. It is built so, and for Windows with GOOS=windows:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go build -o verify verify.go
package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const firstLine = "sabot-proof-1"
const tlogLine = "c2sp.org/tlog-proof@v1"

var markText = regexp.MustCompile(`^sabot/([0-9a-f]{16})/([A-Za-z0-9._%-]+)/([1-9][0-9]*)\n` +
	`([1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\nchain ([0-9a-f]{64})\nsession (?:0|[1-9][0-9]*)\n$`)

// The key of a witness: its signature is over the time and the text.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }
func (w witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	seen := binary.BigEndian.Uint64(signature[:8])
	signed := append([]byte(fmt.Sprintf("cosignature/v1\ntime %d\n", seen)), text...)
	return seen < 1<<63 && ed25519.Verify(w.key, signed, signature[8:])
}

func keyID(name string, typed []byte) uint32 {
	sum := sha256.Sum256(append([]byte(name+"\n"), typed...))
	return binary.BigEndian.Uint32(sum[:4])
}

// A key as text, or as a file with that text.
func readWitness(text string) (witness, error) {
	if !strings.Contains(text, "+") {
		data, err := os.ReadFile(text)
		if err != nil {
			return witness{}, err
		}
		text = strings.TrimSpace(string(data))
	}
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 {
		return witness{}, errors.New("no key of a witness")
	}
	typed, err := fromBase64(parts[2])
	if err != nil || len(typed) != 33 || typed[0] != 4 {
		return witness{}, errors.New("no key of a witness")
	}
	found := witness{parts[0], keyID(parts[0], typed), typed[1:]}
	if fmt.Sprintf("%08x", found.hash) != parts[1] {
		return witness{}, errors.New("the id is not this key's")
	}
	return found, nil
}

// What stands before the 32 bytes of an Ed25519 key in a PEM file.
var pemHead = []byte{0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00}

// The table's key: 64 hexadecimal digits, or a file with them, with PEM, or with the 32 bytes.
func readTable(text string) (ed25519.PublicKey, error) {
	if text == "" {
		return nil, errors.New("no key of a table was given (-key)")
	}
	if key, err := hex.DecodeString(text); err == nil && len(key) == ed25519.PublicKeySize {
		return key, nil
	}
	data, err := os.ReadFile(text)
	if err != nil {
		return nil, fmt.Errorf("the table's key is neither 64 hexadecimal digits nor a file: %w", err)
	}
	if block, _ := pem.Decode(data); block != nil && bytes.HasPrefix(block.Bytes, pemHead) {
		data = block.Bytes[len(pemHead):]
	} else if key, err := hex.DecodeString(strings.TrimSpace(string(data))); err == nil {
		data = key
	}
	if len(data) != ed25519.PublicKeySize {
		return nil, errors.New("no public key of a table is in " + text)
	}
	return data, nil
}

// Of its one way to be written alone.
func fromBase64(text string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err == nil && base64.StdEncoding.EncodeToString(data) != text {
		err = errors.New("not the one base64 of its bytes")
	}
	return data, err
}

// What a mark says: up to where, with which head, and who has signed it.
type marked struct {
	size      int64
	root      tlog.Hash
	origin    string
	table     string
	epoch     string
	lines     []string // chain value and head, as the mark has them
	seen      []string
	unchecked int
}

// Who has signed the history of the mark besides the table, and how many lines nothing has checked.
func (m marked) signers() string {
	said := ""
	for _, one := range m.seen {
		said += fmt.Sprintf("; entries 1 to %d seen by %s", m.size, one)
	}
	if m.unchecked > 0 {
		said += fmt.Sprintf("; NOT CHECKED: lines of witnesses whose keys were not given: %d", m.unchecked)
	}
	return said
}

// The reason in plain words.
func plain(err error) error {
	var unknown *note.UnverifiedNoteError
	var wrong *note.InvalidSignatureError
	switch {
	case errors.As(err, &unknown):
		return errors.New("the mark is not signed by this table's key")
	case errors.As(err, &wrong):
		return errors.New("the signature of " + wrong.Name + " is wrong")
	}
	return errors.New("the mark at the end is damaged, or none")
}

func openMark(mark string, key ed25519.PublicKey, witnesses []witness) (found marked, err error) {
	origin, _, _ := strings.Cut(mark, "\n")
	typed := append([]byte{1}, key...)
	vkey := fmt.Sprintf("%s+%08x+%s", origin, keyID(origin, typed), base64.StdEncoding.EncodeToString(typed))
	table, err := note.NewVerifier(vkey)
	if err != nil {
		return found, errors.New("the first line of the mark is no name of a table")
	}
	known := []note.Verifier{table}
	for _, one := range witnesses {
		known = append(known, one)
	}
	opened, err := note.Open([]byte(mark), note.VerifierList(known...))
	if err != nil {
		return found, plain(err)
	}
	signed := map[string]string{}
	for _, one := range opened.Sigs {
		signed[fmt.Sprint(one.Name, one.Hash)] = one.Base64
	}
	for number, one := range known {
		line, is := signed[fmt.Sprint(one.Name(), one.KeyHash())]
		if !is {
			return found, errors.New("the mark is not signed by " + one.Name())
		}
		if number > 0 {
			found.seen = append(found.seen, seenBy(one.Name(), line))
		}
	}
	lines := strings.Split(strings.TrimSuffix(mark[len(opened.Text)+1:], "\n"), "\n")
	for _, line := range lines {
		if _, err := fromBase64(line[strings.LastIndex(line, " ")+1:]); err != nil {
			return found, errors.New("a line of a signature is damaged")
		}
	}
	found.origin, found.unchecked = origin, len(lines)-len(opened.Sigs)
	parts := markText.FindStringSubmatch(opened.Text)
	if parts == nil || parts[1] != hex.EncodeToString(key)[:16] {
		return found, errors.New("no mark of this table")
	}
	head, err := fromBase64(parts[5])
	if err != nil {
		return found, errors.New("the head in the mark is damaged")
	}
	copy(found.root[:], head)
	found.table, found.epoch, found.lines = parts[2], parts[3], []string{"chain " + parts[6], "head " + parts[5]}
	found.size, err = strconv.ParseInt(parts[4], 10, 64)
	return found, err
}

func seenBy(name, line string) string {
	data, _ := base64.StdEncoding.DecodeString(line)
	seconds := int64(binary.BigEndian.Uint64(data[4:12]))
	return fmt.Sprintf("%s at %s by its own clock", name, utc(seconds))
}

func utc(seconds int64) string {
	return time.Unix(seconds, 0).UTC().Format("2006-01-02 15:04:05") + " UTC"
}

// A complaint: its entry, and what another one must have to be the same, repeated.
type complaint struct{ entry, seat, player, round int64 }

// The round of the last entry, by FORMAT.md's rule: counted from the opening of its session, if that is here.
type rounds struct {
	opened, ended     int64
	bet, played, back bool
	undecided         []complaint
	try               int64 // the last entry that no table that plays has made
}

func (r *rounds) take(seq int64, kind string, refused bool) {
	switch {
	case refused:
	case kind == "open-session":
		*r = rounds{opened: seq, try: r.try}
	case kind == "announce-no-more-bets" || kind == "launch-ball":
		if !r.back {
			r.ended++
		}
		r.bet, r.played, r.back = false, true, false
	case kind == "put-ball-back":
		r.back = true
	case (kind == "take-bets" || kind == "place-bet" || kind == "place-chips" || kind == "place-value-chips") && !r.played:
		r.bet = true
	case kind == "confirm-payments" || kind == "collect-cards" || kind == "confirm-outage":
		r.played = false
	}
}

func (r *rounds) said() string {
	if r.opened == 0 {
		return "the round is not shown (its session's opening is not here)"
	}
	number := r.ended
	if r.bet {
		number++
	}
	return fmt.Sprintf("the last of round %d of the session that entry %d opened", number, r.opened)
}

// What a complaint is about, and which one a decision decides, by FORMAT.md's rules.
func (r *rounds) complaint(seq int64, kind string, body json.RawMessage) string {
	switch kind {
	case "record-complaint", "record-claim":
		return r.complains(seq, body)
	case "decide-complaint", "decide-claim":
		return r.decides()
	case "confirm-irregular-closing":
		r.undecided = nil
	}
	return ""
}

// The round of its session that a complaint concerns: the one that it names, or the last that had a number.
func (r *rounds) complains(seq int64, body json.RawMessage) string {
	var said struct {
		Round, Bettor *int64
		Seat, Player  int64
	}
	if json.Unmarshal(body, &said) != nil || said.Round == nil && r.opened == 0 {
		return ""
	}
	one := complaint{seq, said.Seat, said.Seat + said.Player, r.ended}
	if said.Round != nil {
		one.round = *said.Round
	}
	if said.Bettor != nil {
		one.player = *said.Bettor
	}
	for _, before := range r.undecided {
		if one.entry = before.entry; one == before {
			return fmt.Sprintf("the same as entry %d, about round %d: ", before.entry, before.round)
		}
	}
	one.entry = seq
	r.undecided = append(r.undecided, one)
	return fmt.Sprintf("about round %d: ", one.round)
}

// The oldest complaint that is not decided yet: known only where the opening of its session is here.
func (r *rounds) decides() string {
	if r.opened == 0 || len(r.undecided) == 0 {
		return "on a complaint that is not shown: "
	}
	decided := r.undecided[0].entry
	r.undecided = r.undecided[1:]
	return fmt.Sprintf("on the complaint of entry %d: ", decided)
}

var hexadecimal = regexp.MustCompile(`^[0-9a-f]*$`)

// An entry of a try: a start or a device says that it is simulated, or a start's digest is no hexadecimal text.
func isTry(kind string, body json.RawMessage) bool {
	var said struct {
		Config    string                   `json:"config_digest"`
		Rules     string                   `json:"rules_digest"`
		Seals     string                   `json:"seal_key"`
		Setup     struct{ Simulated bool } `json:"setup"`
		Simulated bool                     `json:"simulated"`
	}
	if kind != "controller-started" && kind != "device-connected" || json.Unmarshal(body, &said) != nil {
		return false
	}
	return said.Simulated || said.Setup.Simulated || !hexadecimal.MatchString(said.Config+said.Rules+said.Seals)
}

// An entry on a line: its time by the wall clock and by the table's, its kind and its values.
func readEntry(payload []byte, index int64, counted *rounds) (string, error) {
	var fields map[string]json.RawMessage
	var seq, wall, table int64
	var kind string
	if json.Unmarshal(payload, &fields) != nil || json.Unmarshal(fields["seq"], &seq) != nil || seq != index+1 ||
		json.Unmarshal(fields["kind"], &kind) != nil || json.Unmarshal(fields["wall_ms"], &wall) != nil ||
		json.Unmarshal(fields["table_ms"], &table) != nil {
		return "", errors.New("it is no entry of this number")
	}
	refused := string(fields["refusal"]) != "null"
	counted.take(seq, kind, refused)
	said := fmt.Sprintf("#%d  %s  table time %d.%03d s  ", seq, utc(wall/1000), table/1000, table%1000)
	if !refused {
		if isTry(kind, fields["body"]) {
			counted.try = seq
		}
		said += counted.complaint(seq, kind, fields["body"])
	} else {
		said += "REFUSED, not done " + string(fields["refusal"]) + ": "
	}
	return strings.Map(printable, said+kind+" "+string(fields["body"])), nil
}

// A character that could forge another line becomes a question mark.
func printable(one rune) rune {
	if unicode.IsPrint(one) {
		return one
	}
	return '?'
}

// The lines from the index on: as in a C2SP tlog-proof.
func checkPath(payload []byte, lines []string, mark marked, counted *rounds) (int64, string, error) {
	if len(lines) < 1 || !strings.HasPrefix(lines[0], "index ") {
		return 0, "", errors.New("a part has no index")
	}
	index, err := strconv.ParseInt(lines[0][len("index "):], 10, 64)
	if err != nil || strconv.FormatInt(index, 10) != lines[0][len("index "):] {
		return 0, "", errors.New("an index is no number")
	}
	entry, err := readEntry(payload, index, counted)
	if err != nil {
		return 0, "", fmt.Errorf("entry %d: %w", index+1, err)
	}
	var proof tlog.RecordProof
	for _, line := range lines[1:] {
		data, err := fromBase64(line)
		if err != nil || len(data) != tlog.HashSize {
			return 0, "", fmt.Errorf("entry %d: a line behind it is no hash", index+1)
		}
		var hash tlog.Hash
		copy(hash[:], data)
		proof = append(proof, hash)
	}
	if tlog.CheckRecord(proof, mark.size, mark.root, index, tlog.RecordHash(payload)) != nil {
		return 0, "", fmt.Errorf("entry %d does not lead to the head that was signed: it, its number or its hashes were changed", index+1)
	}
	return index, entry, nil
}

// The payload and the other lines of a part: of ours, or of a C2SP tlog-proof, which has the payload as its extra data.
func split(part string, alone bool) ([]byte, []string, error) {
	lines := strings.Split(part, "\n")
	if alone {
		if len(lines) < 2 || !strings.HasPrefix(lines[1], "extra ") {
			return nil, nil, errors.New("no payload in the extra data")
		}
		payload, err := fromBase64(lines[1][len("extra "):])
		return payload, lines[2:], err
	}
	if !strings.HasPrefix(lines[0], "entry ") {
		return nil, nil, errors.New("no part of a proof")
	}
	return []byte(lines[0][len("entry "):]), lines[1:], nil
}

// The verdict on a line, and the entries, a line each.
func check(data []byte, key ed25519.PublicKey, witnesses []witness) (string, []string, error) {
	parts := strings.Split(string(data), "\n\n")
	alone := strings.HasPrefix(parts[0], tlogLine+"\n") && len(parts) == 3
	if bytes.Contains(data, []byte("\r\n")) {
		return "", nil, errors.New("its line ends were changed on the way (CR LF)")
	}
	if strings.HasPrefix(parts[0], "sabot/") {
		return checkMark(data, len(parts), key, witnesses)
	}
	if parts[0] == firstLine && (len(parts) < 4 || !strings.HasPrefix(parts[len(parts)-2], "sabot/")) {
		return "", nil, errors.New("the mark at the end is missing, or its first line is damaged, or more stands behind it")
	}
	if !alone && (len(parts) < 4 || parts[0] != firstLine) || bytes.ContainsRune(data, '\r') {
		return "", nil, errors.New("no proof")
	}
	entries := parts[1 : len(parts)-2]
	if alone {
		entries = parts[:1]
	}
	mark, err := openMark(strings.Join(parts[len(parts)-2:], "\n\n"), key, witnesses)
	if err != nil {
		return "", nil, err
	}
	var first, last int64
	var counted rounds
	var said []string
	for number, part := range entries {
		payload, lines, err := split(part, alone)
		if err != nil {
			return "", nil, err
		}
		index, entry, err := checkPath(payload, lines, mark, &counted)
		if err != nil {
			return "", nil, err
		}
		if number == 0 {
			first = index
		} else if index != last+1 {
			return "", nil, fmt.Errorf("entry %d stands behind entry %d: one is missing, doubled or out of place", index+1, last+1)
		}
		last, said = index, append(said, entry)
	}
	verdict := fmt.Sprintf("well: entries %d to %d of the signed entries 1 to %d in %s; %s",
		first+1, last+1, mark.size, mark.origin, counted.said())
	if counted.try > 0 {
		verdict += fmt.Sprintf("; A TRY and no evidence of play, by entry %d", counted.try)
	}
	return verdict + mark.signers(), said, nil
}

// The verdict on a mark without entries, and its chain value and head, a line each.
func checkMark(data []byte, parts int, key ed25519.PublicKey, witnesses []witness) (string, []string, error) {
	if parts != 2 {
		return "", nil, errors.New("it is not one mark: more stands in the file, or its signatures are missing")
	}
	mark, err := openMark(string(data), key, witnesses)
	if err != nil {
		return "", nil, err
	}
	verdict := fmt.Sprintf("well: mark of %d entries, table %s, epoch %s, in %s", mark.size, mark.table, mark.epoch, mark.origin)
	return verdict + mark.signers(), mark.lines, nil
}

func checkEach(key ed25519.PublicKey, witnesses []witness) {
	in := bufio.NewReader(os.Stdin)
	for {
		var size uint32
		if binary.Read(in, binary.LittleEndian, &size) != nil {
			return
		}
		data := make([]byte, size)
		if _, err := io.ReadFull(in, data); err != nil {
			return
		}
		if said, _, err := check(data, key, witnesses); err != nil {
			fmt.Println("not well:", strconv.Quote(err.Error()))
		} else {
			fmt.Println(said)
		}
	}
}

type keys []string

func (k *keys) String() string         { return strings.Join(*k, " ") }
func (k *keys) Set(value string) error { *k = append(*k, value); return nil }

func main() {
	var named keys
	text := flag.String("key", "", "the table's public key: the file journal.pub, or 64 hexadecimal digits")
	each := flag.Bool("each", false, "for programs: read proofs from standard input, each behind its length in four bytes (little endian); a line for each")
	flag.Var(&named, "witness", "the key of a witness who must have signed, as text or as its file; may be repeated")
	flag.Parse()
	if (flag.NArg() != 1) != *each {
		flag.Usage()
		os.Exit(2)
	}
	key, err := readTable(*text)
	if err != nil {
		fmt.Println("not well:", err)
		os.Exit(2)
	}
	var witnesses []witness
	for _, one := range named {
		found, err := readWitness(one)
		if err != nil {
			fmt.Println("not well:", err)
			os.Exit(2)
		}
		witnesses = append(witnesses, found)
	}
	if *each {
		checkEach(key, witnesses)
		return
	}
	data, err := os.ReadFile(flag.Arg(0))
	if err == nil {
		var said string
		var entries []string
		if said, entries, err = check(data, key, witnesses); err == nil {
			fmt.Println(strings.Join(append([]string{said}, entries...), "\n"))
			return
		}
	}
	fmt.Println("not well:", err)
	os.Exit(1)
}
